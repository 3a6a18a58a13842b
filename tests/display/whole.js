/** What is wrong with how a dealer screen is drawn, in words: texts that their own box cuts, that leave the window or the
 * plate of what they belong to, and texts or boxes on each other. Of a line of text the box is as high as its letters: a
 * line's leading may reach into the one above. */
() => {
    const wrong = [], found = [];
    const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && getComputedStyle(node).clipPath === 'none';
    const hidden = (node) => node.closest('.visually-hidden, dialog, [aria-hidden="true"]') || !seen(node);
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode, node = text.parentElement;
        if (!text.data.trim() || hidden(node)) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const size = parseFloat(getComputedStyle(node).fontSize);
        const words = text.data.trim();
        for (const box of range.getClientRects()) {
            const lead = Math.max(0, (box.height - size) / 2);
            found.push({ node, words, left: box.left, right: box.right, top: box.top + lead, bottom: box.bottom - lead });
        }
        if (size < 8) wrong.push(`${words}: letters of ${size} px`);
        for (let around = node; around.tagName !== 'MAIN'; around = around.parentElement) {
            const { overflowX, overflowY } = getComputedStyle(around);
            const cuts = overflowX !== 'visible' || overflowY !== 'visible';
            if (cuts && (around.scrollWidth > around.clientWidth + 1 || around.scrollHeight > around.clientHeight + 1))
                wrong.push(`${words}: cut by ${around.id || around.className}`);
        }
    }
    const fits = (inner, outer, slack) => inner.left >= outer.left - slack && inner.right <= outer.right + slack
        && inner.top >= outer.top - slack && inner.bottom <= outer.bottom + slack;
    const window_ = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (const text of found) {
        if (!fits(text, window_, 0.5)) wrong.push(`${text.words}: outside the window`);
        const plate = text.node.closest('.seat, button, .banner, .turn, .entry, header, .notices, .tabled');
        if (plate && !fits(text, plate.getBoundingClientRect(), 1.5)) wrong.push(`${text.words}: out of its ${plate.className || plate.tagName}`);
    }
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    found.forEach((a, i) => found.slice(i + 1).forEach((b) => {
        if (a.node !== b.node && over(a, b)) wrong.push(`${a.words} on ${b.words}`);
    }));
    const boxes = [...document.querySelectorAll('.seat, .centre > *, .card, .turn, .banner, .pad, header > *, .notices, #ruling')].filter(seen);
    boxes.forEach((one, i) => boxes.slice(i + 1).forEach((other) => {
        if (one.contains(other) || other.contains(one)) return;
        const its = one.matches('.card') && other.matches('.card') && one.parentElement === other.parentElement;
        const own = (a, b) => a.matches('.card') && a.closest('li')?.contains(b);
        if (its || own(one, other) || own(other, one)) return;
        if (over(one.getBoundingClientRect(), other.getBoundingClientRect()))
            wrong.push(`${one.className || one.id} (${one.textContent.trim()}) on ${other.className || other.id} (${other.textContent.trim()})`);
    }));
    for (const item of document.querySelectorAll('#seats > li')) {
        const plate = item.querySelector('.seat').getBoundingClientRect();
        for (const card of item.querySelectorAll('.card')) {
            const box = card.getBoundingClientRect();
            if (!fits(box, plate, 1)) wrong.push(`a card out of the plate of ${item.textContent.trim()}`);
            for (const text of found) if (item.contains(text.node) && !card.contains(text.node) && over(text, box))
                wrong.push(`${text.words} under a card`);
        }
    }
    return [...new Set(wrong)];
}
