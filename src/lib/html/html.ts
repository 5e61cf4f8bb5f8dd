/**
 * Markup from a tagged template. Values are escaped for their position: text, a quoted attribute, or an attribute that
 * contains a URL. Positions where escaping cannot help are rejected for all values.
 */
class Markup {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** Markup that is not escaped. Only this module can create it, so that parsed JSON cannot be mistaken for it. */
export type SafeHtml = Markup

/** A value of a template. `null`, `undefined`, `false` and `true` print nothing, so that `condition && html…` works. */
export type HtmlValue = string | number | bigint | boolean | null | undefined | SafeHtml | readonly HtmlValue[]

type Position = 'text' | 'value' | 'url' | 'attributes'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const URL_ATTRIBUTES = new Set(['href', 'src', 'action', 'formaction', 'poster', 'cite'])
const CODE_ATTRIBUTE = /^(?:on|style$|srcdoc$)/
const BLOCKED_URL = 'about:blank'
const positionsByTemplate = new WeakMap<TemplateStringsArray, Position[]>()

/**
 * Builds markup. Escapes strings; `SafeHtml` and arrays of it are inserted without escaping. A URL attribute never gets
 * a `javascript:`, `vbscript:` or `data:` URL (see `safeUrl`).
 *
 * @throws TypeError for a value in a comment, script, style, event attribute or unquoted attribute value
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): SafeHtml {
  let positions = positionsByTemplate.get(strings)
  if (!positions) positionsByTemplate.set(strings, (positions = findPositions(strings)))
  let text = strings[0] ?? ''
  for (const [index, value] of values.entries()) {
    text += renderValue(value, positions[index] ?? 'text') + (strings[index + 1] ?? '')
  }
  return new Markup(text)
}

/** Declares that `trusted` is safe markup. Never call it with anything that a user or another server sent. */
export function raw(trusted: string): SafeHtml {
  return new Markup(trusted)
}

/** Returns attributes, each with a leading space. `true`: only the name. `null`, `undefined`, `false`: no attribute. */
export function attributes(record: Record<string, string | number | boolean | null | undefined>): SafeHtml {
  let text = ''
  for (const [name, value] of Object.entries(record)) {
    if (!/^[a-z][a-z0-9-]*$/.test(name) || CODE_ATTRIBUTE.test(name))
      throw new TypeError(`html: the attribute ${name} is not allowed`)
    if (value === null || value === undefined || value === false) continue
    text += value === true ? ` ${name}` : ` ${name}="${renderValue(value, URL_ATTRIBUTES.has(name) ? 'url' : 'value')}"`
  }
  return new Markup(text)
}

/**
 * Returns a name in `<bdi>` and without the characters that override the direction, so that a name that a user chose
 * cannot reorder the surrounding text.
 */
export function isolateDirection(name: string): SafeHtml {
  return html`<bdi>${stripDirectionOverrides(name)}</bdi>`
}

/** Does the same for places without markup, such as `<title>` and `alt`, with isolating characters. */
export function isolateDirectionOfText(name: string): string {
  return `\u2068${stripDirectionOverrides(name)}\u2069`
}

/** Returns the URL, or `about:blank` if following it would run a script. Allows `data:` images. */
export function safeUrl(url: string): string {
  // Browsers drop leading control characters and spaces, and all tabs and line ends, before they parse the scheme.
  const parsed = url.replace(/^[^!-\u{10ffff}]+|[\t\r\n]/gu, '')
  if (/^data:image\/(?:bmp|gif|jpeg|png|webp);base64,[\w+/=]*$/.test(parsed)) return url
  return /^(?:javascript|vbscript|data):/i.test(parsed) ? BLOCKED_URL : url
}

/** Removes the characters that override the direction of text, for callers that write their own markup. */
export function stripDirectionOverrides(name: string): string {
  return name.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
}

function renderValue(value: HtmlValue, position: Position): string {
  if (value === null || value === undefined || typeof value === 'boolean') return ''
  if (value instanceof Markup) {
    if (position === 'value' || position === 'url')
      throw new TypeError('html: an attribute value cannot contain markup')
    return value.toString()
  }
  if (typeof value === 'object') return value.map((item) => renderValue(item, position)).join('')
  if (position === 'attributes') throw new TypeError('html: use attributes({…}) for attributes')
  const text = String(value)
  return (position === 'url' ? safeUrl(text) : text).replace(/[&<>"']/g, (found) => ESCAPES[found] ?? '')
}

/** Returns the position of each value from the fixed parts of a template. */
function findPositions(strings: TemplateStringsArray): Position[] {
  const found: Position[] = []
  let state: 'text' | 'tag' | '"' | "'" | 'sealed' = 'text'
  let tag = ''
  let attribute = ''
  let valueStarted = false
  for (const [index, part] of strings.entries()) {
    for (let at = 0; at < part.length; at++) {
      const char = part.charAt(at)
      if (state === 'text') {
        if (char !== '<') continue
        if (part.startsWith('<!--', at) || /^<(?:script|style)\b/i.test(part.slice(at))) state = 'sealed'
        else if (/^<[a-z/!]/i.test(part.slice(at, at + 2))) [state, tag] = ['tag', '']
      } else if (state === 'tag') {
        if (char === '>') state = 'text'
        else if (char === '"' || char === "'") {
          attribute = /([^\s=]+)\s*=\s*$/.exec(tag)?.[1]?.toLowerCase() ?? ''
          state = char
          valueStarted = false
        } else tag += char
      } else if (state === 'sealed') {
        if (part.startsWith('-->', at) || /^<\/(?:script|style)>/i.test(part.slice(at))) state = 'text'
      } else if (char === state) {
        state = 'tag'
        tag = ''
      } else valueStarted = true
    }
    if (index === strings.length - 1) break
    if (state === 'text') found.push('text')
    else if (state === 'tag' && !/=\s*$/.test(tag)) found.push('attributes')
    else if ((state === '"' || state === "'") && !CODE_ATTRIBUTE.test(attribute)) {
      found.push(URL_ATTRIBUTES.has(attribute) && !valueStarted ? 'url' : 'value')
      valueStarted = true
    } else throw new TypeError(`html: no value is allowed after ${JSON.stringify(part.slice(-40))}`)
  }
  if (state !== 'text') throw new TypeError('html: a template ends inside a tag, a comment or a script')
  return found
}
