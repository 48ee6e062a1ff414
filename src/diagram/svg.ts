import type { Shape } from './drawing.js';

/** A picture as the text of an SVG file. */
export function svgText({ tag, attributes, children }: Shape): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(String(value))}"`);
  const inner = children.map((child) => (typeof child === 'string' ? escaped(child) : svgText(child)));
  return `<${tag}${written.join('')}>${inner.join('')}</${tag}>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (special) => `&#${special.charCodeAt(0)};`);
}
