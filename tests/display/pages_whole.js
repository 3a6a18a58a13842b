/** What of a page's texts is cut, lies on another or leaves the window sideways, in words. What scrolls by itself may hold
 * more than it shows; what ends in dots by its style may end. Of a line the box is as high as its letters. */
() => {
    const wrong = [], found = [];
    const style = (node) => getComputedStyle(node);
    const seen = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true }) && style(node).clipPath === 'none';
    const around = function* (node) { for (let one = node; one && one !== document.body; one = one.parentElement) yield one; };
    const wide = document.documentElement.scrollWidth - innerWidth;
    if (wide > 1) wrong.push(`the page is ${wide} px wider than the window`);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode, node = text.parentElement;
        if (!text.data.trim() || node.closest('script, style, option, .visually-hidden, [aria-hidden="true"], svg, iframe, canvas') || !seen(node)) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const chain = [...around(node)], words = text.data.trim().slice(0, 60), size = parseFloat(style(node).fontSize);
        const scrolls = chain.some((one) => /auto|scroll/.test(style(one).overflowX + style(one).overflowY));
        const ends = chain.some((one) => style(one).textOverflow === 'ellipsis' || style(one).webkitLineClamp !== 'none');
        const lies = chain.find((one) => /fixed|sticky|absolute/.test(style(one).position));
        const button = node.closest('button, .button');
        for (const box of range.getClientRects()) {
            const lead = Math.max(0, (box.height - size) / 2);
            const at = { left: box.left, right: box.right, top: box.top + lead, bottom: box.bottom - lead };
            found.push({ node, words, lies, ...at });
            if (at.right <= 0 || at.bottom <= 0) continue; // a link that comes with the focus
            if (!scrolls && (at.left < -1 || at.right > innerWidth + 1)) wrong.push(`${words}: outside the window`);
            if (ends || scrolls) continue;
            const outer = button?.getBoundingClientRect();
            if (outer && (at.left < outer.left - 1.5 || at.right > outer.right + 1.5 || at.top < outer.top - 1.5 || at.bottom > outer.bottom + 1.5)) wrong.push(`${words}: out of its button`);
            for (const one of chain) {
                if (!/hidden|clip/.test(style(one).overflowX)) continue;
                const edge = one.getBoundingClientRect();
                if (at.left < edge.left - 2 || at.right > edge.right + 2 || at.top < edge.top - 2 || at.bottom > edge.bottom + 2) wrong.push(`${words}: cut by ${one.id || one.className || one.tagName}`);
            }
        }
    }
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1.5;
    found.forEach((a, i) => found.slice(i + 1).forEach((b) => {
        if (a.node !== b.node && a.lies === b.lies && over(a, b)) wrong.push(`${a.words} on ${b.words}`);
    }));
    return [...new Set(wrong)];
}
