/* What is wrong with a wall as it stands: words cut, parts over each other, letters under 1/25 of the height. */
() => {
  const wrong = [];
  const shown = (node) => node.checkVisibility() && node.getClientRects().length > 0;
  const named = (node) => `${node.tagName.toLowerCase()}${node.id ? `#${node.id}` : ''}.${node.className} "${node.textContent.trim().slice(0, 40)}"`;
  const parts = [...document.querySelectorAll('#wall > *')].filter((node) => shown(node) && node.textContent.trim() + (node.querySelector('img') ? 'i' : ''));
  for (const node of document.querySelectorAll('#wall *')) {
    if (!shown(node) || node.closest('.sound')) continue;
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    if (!own) continue;
    const size = parseFloat(getComputedStyle(node).fontSize);
    const chip = node.classList.contains('chip');
    if (size < innerHeight / 25 && !chip) wrong.push(`small ${size.toFixed(1)} px: ${named(node)}`);
    if (node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== 'inline') wrong.push(`cut: ${named(node)}`);
    const at = node.getBoundingClientRect();
    if (at.left < -1 || at.right > innerWidth + 1 || at.bottom > innerHeight + 1 || at.top < -1) wrong.push(`outside: ${named(node)}`);
    for (let over = node.parentElement; over && over.id !== 'wall'; over = over.parentElement) {
      const box = over.getBoundingClientRect();
      if (getComputedStyle(over).overflow !== 'visible' && (at.bottom > box.bottom + 2 || at.right > box.right + 2)) { wrong.push(`cut by ${named(over).slice(0, 30)}: ${named(node)}`); break; }
    }
  }
  const boxes = parts.filter((node) => !node.matches('.alone, .sound')).map((node) => [node, node.getBoundingClientRect()]);
  boxes.forEach(([one, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
    if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1) wrong.push(`on each other: ${named(one)} and ${named(other)}`);
  }));
  const left = document.querySelector('#left');
  if (shown(left)) {
    const box = left.getBoundingClientRect(), room = left.parentElement.getBoundingClientRect();
    if (box.height > room.height + 1 || box.width > room.width + 1) wrong.push(`the time does not fit: ${Math.round(box.width)}×${Math.round(box.height)} in ${Math.round(room.width)}×${Math.round(room.height)}`);
  }
  if (document.scrollingElement.scrollWidth > innerWidth) wrong.push('scrolls sideways');
  return wrong;
}
