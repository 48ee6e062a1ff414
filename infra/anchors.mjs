/** Makes the anchor of a heading, as GitHub does: links of pages work there, in an editor and on the site. */
export function slugOf(heading) {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** Lists the anchors of a page. A heading that comes again gets a number. */
export function anchorsOf(page) {
  const anchors = new Set();
  const headings = page.replace(/^```.*?^```$/gms, '').matchAll(/^#{1,6} (.+)$/gm);
  for (const [, heading] of headings) {
    const slug = slugOf(heading);
    let anchor = slug;
    for (let again = 1; anchors.has(anchor); again++) anchor = `${slug}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}
