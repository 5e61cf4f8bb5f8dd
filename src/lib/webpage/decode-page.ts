/** A `meta` element with the encoding counts only at the beginning of the page. */
const SNIFFED_BYTES = 4_096
const IN_HEADER = /;\s*charset\s*=\s*["']?\s*([\w.:-]{1,40})/i
const IN_PAGE = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i

/**
 * Decodes a web page. The encoding is that of the byte order mark, the header or the page, in this order. Without a
 * known encoding: UTF-8 if the bytes are valid, else windows-1252, the default of Western browsers. Invalid bytes
 * become U+FFFD. The page may be truncated anywhere.
 */
export function decodePage(bytes: Buffer, { contentType }: { contentType: string }): string {
  const start = bytes.subarray(0, SNIFFED_BYTES)
  const label =
    encodingOfByteOrderMark(start) ?? IN_HEADER.exec(contentType)?.[1] ?? IN_PAGE.exec(start.toString('latin1'))?.[1]
  const decoder = (label !== undefined && decoderOf(label)) || decoderOf(isUtf8(bytes) ? 'utf-8' : 'windows-1252')
  return (decoder as TextDecoder).decode(bytes)
}

/** Returns the encoding of the byte order mark, or null if there is none. */
function encodingOfByteOrderMark(start: Buffer): string | null {
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

/** Returns whether the bytes are valid UTF-8, apart from a truncated character at the end. */
function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
