'use strict';
// Search over the words of all sessions. The last word may be the start of one.
(() => {
  const form = document.getElementById('search');
  const box = form.querySelector('input');
  const count = form.querySelector('output');
  const rows = [...document.querySelectorAll('#sessions tbody tr')];
  const words = JSON.parse(document.getElementById('words').textContent);
  const all = Object.keys(words);
  form.hidden = false;

  // having is the sessions that have a word, or one that starts so.
  const having = (word) => {
    const found = new Set();
    for (const one of all) {
      if (one.startsWith(word)) for (const n of words[one]) found.add(n);
    }
    rows.forEach((row, n) => {
      if (row.textContent.toLowerCase().includes(word)) found.add(n);
    });
    return found;
  };

  const search = () => {
    const wanted = box.value.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
    const found = wanted.map(having);
    let shown = 0;
    rows.forEach((row, n) => {
      row.hidden = !found.every((set) => set.has(n));
      if (!row.hidden) shown++;
    });
    count.value = wanted.length ? `${shown} of ${rows.length} sessions` : '';
  };

  let timer = 0;
  box.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(search, 120);
  });
  form.addEventListener('submit', (event) => event.preventDefault());
})();
