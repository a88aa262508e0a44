// Titles, branches, paths and names may contain bidirectional control characters, which
// make one name look like another. A mutation observer replaces them with visible signs
// in everything that is put on the page, before the browser paints it.

import { showDirection } from './text';

const textAttributes = ['title', 'aria-label', 'alt', 'placeholder'];

/** keepDirection watches everything below a node until the returned function is called. */
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
    attributeFilter: textAttributes,
  });
  below(root);
  return () => observer.disconnect();
}

function below(node: Node): void {
  if (node.nodeType === Node.TEXT_NODE) text(node);
  if (node instanceof Element) for (const name of textAttributes) attribute(node, name);
  for (const child of node.childNodes) below(child);
}

function text(node: Node): void {
  const now = node.nodeValue ?? '';
  const shown = showDirection(now);
  if (shown !== now) node.nodeValue = shown;
}

function attribute(e: Element, name: string): void {
  const now = e.getAttribute(name);
  if (now === null) return;
  const shown = showDirection(now);
  if (shown !== now) e.setAttribute(name, shown);
}
