'use strict';
// Search in the page. Folds hide text from the browser's own search, so this one opens them.
(() => {
  const form = document.getElementById('find');
  if (!form || !window.Highlight) return;
  form.hidden = false;
  const box = form.querySelector('input');
  const count = form.querySelector('output');
  const most = 5000;
  let hits = [];
  let at = -1;

  // textOf is the text of an element with the nodes that it consists of, so that a hit can
  // lie in several of them, as in coloured code.
  const textOf = (element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const nodes = [];
    let text = '';
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      nodes.push([text.length, node]);
      text += node.data;
    }
    return [text.toLowerCase(), nodes];
  };

  const rangeOf = (nodes, from, to) => {
    const range = new Range();
    for (const [start, node] of nodes) {
      if (start <= from) range.setStart(node, Math.min(from - start, node.length));
      if (start < to) range.setEnd(node, Math.min(to - start, node.length));
    }
    return range;
  };

  const search = () => {
    const wanted = box.value.trim().toLowerCase();
    hits = [];
    at = -1;
    for (const part of wanted ? document.querySelectorAll('.part') : []) {
      const [text, nodes] = textOf(part);
      for (let i = text.indexOf(wanted); i >= 0 && hits.length < most; i = text.indexOf(wanted, i + wanted.length)) {
        hits.push(rangeOf(nodes, i, i + wanted.length));
      }
    }
    CSS.highlights.set('find', new Highlight(...hits));
    step(1);
  };

  const step = (by) => {
    if (hits.length === 0) {
      CSS.highlights.delete('found');
      count.value = box.value.trim() ? 'not found' : '';
      return;
    }
    at = (at + by + hits.length) % hits.length;
    count.value = `${at + 1} of ${hits.length}${hits.length === most ? ' or more' : ''}`;
    const range = hits[at];
    for (let e = range.startContainer.parentElement; e; e = e.parentElement) {
      if (e instanceof HTMLDetailsElement) e.open = true;
    }
    CSS.highlights.set('found', new Highlight(range));
    range.startContainer.parentElement.scrollIntoView({ block: 'center' });
  };

  let timer = 0;
  box.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(search, 150);
  });
  // No form is submitted: a page that a server shows in a sandbox may not.
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    step(event.shiftKey ? -1 : 1);
  });
  form.addEventListener('click', (event) => {
    if (event.target instanceof HTMLButtonElement) step(event.target.value === 'back' ? -1 : 1);
  });
})();
// On paper every fold is open.
(() => {
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll('details:not([open])')];
    for (const fold of closed) fold.open = true;
  });
  addEventListener('afterprint', () => {
    for (const fold of closed) fold.open = false;
  });
})();
