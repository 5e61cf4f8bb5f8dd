const MAX_URL_LENGTH = 4096
const MAX_HOST_LENGTH = 253

// A URL may follow any character except ASCII letters and digits (`foohttp://`) and the signs of other entities.
const SCHEME =
  /(?<![A-Za-z0-9@＠#＃$])(?:(?:https?|dat|dweb|ipfs|ipns|ssb|gopher|gemini):\/\/|xmpp:(?=[^\s:])|magnet:\?)/gi
// A host may contain symbols (emoji) only before a dot: at its end they belong to the sentence.
const HOST = /\[[0-9A-Fa-f:.]{2,45}\]|(?:[\p{L}\p{M}\p{Nd}\p{So}\u200d_-]+\.)*[\p{L}\p{M}\p{Nd}_-]+(?:\.(?=[:/?#]))?/uy
const PORT = /:\d{1,5}(?!\d)/y
// After a host, these mean that it is none: `@` (a user with or without password), a backslash, a second scheme.
const NO_HOST_BEFORE = /(?::[^\s/?#@]{0,256})?@|\\|:\/\//y
// Brackets, quotes and full stops of other scripts end a URL, as do characters that URLs must escape. `endOfTail`
// handles ASCII brackets.
const TAIL =
  /[^\s\p{Cc}()[\]{}<>"`\\^\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069«»“”„‟「」『』【】〔〕〈〉《》（）［］｛｝。、，．！？：；｡｢｣､]*/uy
// An IP address in brackets, a name with a dot, or one in ASCII (`localhost`).
const NAME = /^(?:\[.*[0-9A-Fa-f].*\]|(?![-.])(?=.*\.)(?=.*[\p{L}\p{Nd}]).+|[A-Za-z0-9_][A-Za-z0-9_-]*)$/u
const LATIN_LABEL = /^[\p{Script=Latin}\p{M}\p{Nd}_-]+/u
const XMPP_ADDRESS = /^(?:\/\/)?(?:[^\s@/?#]+@[\p{L}\p{Nd}[]|[^\s@/?#]+\.[\p{L}\p{Nd}])/u
const MAGNET_TOPIC = /^(?:[^#]*&)?xt(?:\.\d+)?=urn:/i
const CLOSED_BY: Record<string, string> = { '(': ')', '[': ']', '{': '}' }
const TRAILING = '.,:;!?\'"*~|@$%…’‘([{'

/**
 * Finds the next candidate for a URL in `text` at or after `from`.
 *
 * @returns its position, or null if there is none. `valid: false` means that the candidate is not a URL. In both cases,
 * the caller continues at `end`, so the text is read only once.
 */
export function findUrl(text: string, from: number): { start: number; end: number; valid: boolean } | null {
  SCHEME.lastIndex = from
  const match = SCHEME.exec(text)
  if (!match) return null
  const start = match.index
  const body = start + match[0].length
  const scheme = match[0].toLowerCase()
  if (scheme === 'xmpp:' || scheme === 'magnet:?') {
    const end = endOfTail(text, body)
    const accepted = scheme === 'xmpp:' ? XMPP_ADDRESS : MAGNET_TOPIC
    const isShort = end - start <= MAX_URL_LENGTH
    return { start, end: Math.max(end, body), valid: isShort && accepted.test(text.slice(body, end)) }
  }
  const host = endOfHost(text, body)
  if (host === null) return { start, end: body, valid: false }
  const end = host.complete && '/?#'.includes(text.charAt(host.end) || ' ') ? endOfTail(text, host.end) : host.end
  return { start, end, valid: end - start <= MAX_URL_LENGTH && URL.canParse(text.slice(start, end)) }
}

/** Returns where host and port end. `complete`: a path may follow. Null if there is no host, or if there is a user. */
function endOfHost(text: string, from: number): { end: number; complete: boolean } | null {
  const host = matchAt(HOST, text, from)
  if (host === '' || host.length > MAX_HOST_LENGTH) return null
  const end = from + host.length
  if (matchAt(NO_HOST_BEFORE, text, end) !== '') return null
  const name = host.startsWith('[') ? host : withoutSentence(host)
  if (!NAME.test(name)) return null
  if (name.length < host.length) return { end: from + name.length, complete: false }
  return { end: end + matchAt(PORT, text, end).length, complete: true }
}

/** Removes text that follows a host without a space: a domain's last label has one script and ends in no hyphen. */
function withoutSentence(host: string): string {
  const label = host.slice(host.lastIndexOf('.') + 1)
  const latin = LATIN_LABEL.exec(label)?.[0] ?? label
  return host.slice(0, host.length - label.length + latin.length).replace(/[-_]{1,63}$/, '')
}

/** Returns where path, query and fragment end: before an unmatched closing bracket and before trailing punctuation. */
function endOfTail(text: string, from: number): number {
  const closers: string[] = []
  let end = from
  for (;;) {
    end += matchAt(TAIL, text, end).length
    const bracket = text.charAt(end)
    const closer = CLOSED_BY[bracket]
    if (closer !== undefined) closers.push(closer)
    else if (closers.pop() !== bracket) break
    end += 1
  }
  while (end > from && TRAILING.includes(text.charAt(end - 1))) end -= 1
  return end
}

function matchAt(sticky: RegExp, text: string, at: number): string {
  sticky.lastIndex = at
  return sticky.exec(text)?.[0] ?? ''
}
