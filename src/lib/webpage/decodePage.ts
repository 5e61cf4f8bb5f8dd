/** The tag that tells the encoding stands at the beginning, or counts for nothing. */
const LOOKED_AT_BYTES = 4_096
const IN_HEADER = /;\s*charset\s*=\s*["']?\s*([\w.:-]{1,40})/i
const IN_PAGE = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i

/**
 * The text of a web page. Its encoding is what its first bytes, the header or the page itself say, in this order; where
 * nobody says it, or names none that there is, UTF-8 if it can be, and what Western browsers suppose otherwise. Bytes
 * that mean nothing become U+FFFD. The page may be cut anywhere.
 */
export function decodePage(bytes: Buffer, { contentType }: { contentType: string }): string {
  const start = bytes.subarray(0, LOOKED_AT_BYTES)
  const label = markOf(start) ?? IN_HEADER.exec(contentType)?.[1] ?? IN_PAGE.exec(start.toString('latin1'))?.[1]
  const decoder = (label !== undefined && decoderOf(label)) || decoderOf(isUtf8(bytes) ? 'utf-8' : 'windows-1252')
  return (decoder as TextDecoder).decode(bytes)
}

/** By the byte order mark. */
function markOf(start: Buffer): string | null {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return 'utf-8'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  return start[0] === 0xff && start[1] === 0xfe ? 'utf-16le' : null
}

function decoderOf(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label)
  } catch {
    return null
  }
}

/** Whether the bytes are UTF-8, up to a character that is cut off at the end. */
function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
