// What was searched for, marked on the page without touching it.

const most = 1000;

/** mark highlights the words of a query below an element and returns their ranges. */
export function mark(box: HTMLElement, query: string): Range[] {
  if (!('highlights' in CSS)) return [];
  CSS.highlights.delete('found');
  const words = query
    .replace(/\b\w+:\S+/g, '')
    .match(/"[^"]+"|\S+/g)
    ?.map((w) => w.replaceAll('"', '').toLowerCase())
    .filter((w) => w.length > 1 && !w.startsWith('-'));
  if (!words || words.length === 0) return [];
  const found = new Highlight();
  const walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node && found.size < most; node = walk.nextNode()) {
    const text = (node as Text).data.toLowerCase();
    for (const word of words) {
      for (
        let at = text.indexOf(word);
        at >= 0 && found.size < most;
        at = text.indexOf(word, at + word.length)
      ) {
        if (at + word.length > (node as Text).length) break;
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        found.add(range);
      }
    }
  }
  CSS.highlights.set('found', found);
  return [...found] as Range[];
}
