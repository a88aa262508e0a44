// Titles, branches, paths and names come from others, and a few characters in them turn
// the direction of writing, so that a name reads as another one. Whatever puts text into
// the page, such a character is shown as a sign before anybody sees it: observers run
// before the browser paints.

import { unturned } from './text';

const said = ['title', 'aria-label', 'alt', 'placeholder'];

/** keepDirection guards all that is below a node, from now on. It gives what ends that. */
export function keepDirection(root: Node): () => void {
  const observer = new MutationObserver((changes) => {
    for (const c of changes) {
      if (c.type === 'attributes') attribute(c.target as Element, c.attributeName ?? '');
      else if (c.type === 'characterData') text(c.target);
      else for (const node of c.addedNodes) below(node);
    }
  });
  observer.observe(root, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: said,
  });
  below(root);
  return () => observer.disconnect();
}

function below(node: Node): void {
  if (node.nodeType === Node.TEXT_NODE) text(node);
  if (node instanceof Element) for (const name of said) attribute(node, name);
  for (const child of node.childNodes) below(child);
}

function text(node: Node): void {
  const now = node.nodeValue ?? '';
  const shown = unturned(now);
  if (shown !== now) node.nodeValue = shown;
}

function attribute(e: Element, name: string): void {
  const now = e.getAttribute(name);
  if (now === null) return;
  const shown = unturned(now);
  if (shown !== now) e.setAttribute(name, shown);
}
