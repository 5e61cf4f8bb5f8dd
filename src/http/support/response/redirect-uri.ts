/**
 * Makes a redirect URI fit for a header, which holds ASCII only. Browsers decode percent-encoded UTF-8 in every part.
 */
export function percentEncodeNonAscii(url: string): string {
  return url.toWellFormed().replace(/[^\x21-\x7e]+/gu, encodeURIComponent)
}

/** Returns a URL as a source expression of a content security policy: its origin, or its scheme if it has no origin. */
export function cspSourceOf(url: string): string {
  const origin = URL.parse(url)?.origin ?? ''
  // A host may contain characters that would end the directive of the policy.
  if (/^https?:\/\/[\w.:[\]-]+$/.test(origin)) return origin
  return url.slice(0, url.indexOf(':') + 1)
}
