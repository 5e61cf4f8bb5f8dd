/**
 * Markup by tagged template. A value is escaped for the place where it stands: text, a quoted attribute, or an
 * attribute that holds an address. A place where escaping cannot help is refused, whatever the value.
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

/** Markup that goes into a page as it is. Only this module makes one, so no parsed JSON can pass for it. */
export type SafeHtml = Markup

/** What a template takes. `null`, `undefined`, `false` and `true` print nothing, so `condition && html…` works. */
export type HtmlValue = string | number | bigint | boolean | null | undefined | SafeHtml | readonly HtmlValue[]

type Place = 'text' | 'value' | 'address' | 'attributes'

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const ADDRESSES = new Set(['href', 'src', 'action', 'formaction', 'poster', 'cite'])
const CODE = /^(?:on|style$|srcdoc$)/
const BLOCKED_ADDRESS = 'about:blank'
const places = new WeakMap<TemplateStringsArray, Place[]>()

/**
 * Builds markup. Strings are escaped; `SafeHtml` and arrays of it nest as they are. An address attribute never
 * gets a `javascript:`, `vbscript:` or `data:` address (see `safeUrl`).
 *
 * @throws TypeError for a hole in a comment, script, style, event attribute or unquoted attribute value.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): SafeHtml {
  let holes = places.get(strings)
  if (!holes) places.set(strings, (holes = placesOf(strings)))
  let text = strings[0] ?? ''
  for (const [index, value] of values.entries()) {
    text += print(value, holes[index] ?? 'text') + (strings[index + 1] ?? '')
  }
  return new Markup(text)
}

/** Declares that `trusted` is already clean markup. Never call it with anything that a person or a server sent. */
export function raw(trusted: string): SafeHtml {
  return new Markup(trusted)
}

/** Attributes from a record, each with a leading space. `true` gives a bare name; `null`, `undefined`, `false` none. */
export function attributes(record: Record<string, string | number | boolean | null | undefined>): SafeHtml {
  let text = ''
  for (const [name, value] of Object.entries(record)) {
    if (!/^[a-z][a-z0-9-]*$/.test(name) || CODE.test(name))
      throw new TypeError(`html: the attribute ${name} is refused`)
    if (value === null || value === undefined || value === false) continue
    text += value === true ? ` ${name}` : ` ${name}="${print(value, ADDRESSES.has(name) ? 'address' : 'value')}"`
  }
  return new Markup(text)
}

/**
 * A name that somebody chose, unable to reorder the text around it: inside `<bdi>`, without the characters that
 * override direction.
 */
export function isolate(name: string): SafeHtml {
  return html`<bdi>${withoutOverrides(name)}</bdi>`
}

/** The same for places that take no markup, such as `<title>` and `alt`: wrapped in isolating characters. */
export function isolateText(name: string): string {
  return `\u2068${withoutOverrides(name)}\u2069`
}

/** The address itself, or `about:blank` when following it would run a script. Small `data:` pictures are kept. */
export function safeUrl(url: string): string {
  // Browsers drop leading controls and blanks, and tabs and line ends anywhere, before they look at the scheme.
  const seen = url.replace(/^[^!-\u{10ffff}]+|[\t\r\n]/gu, '')
  if (/^data:image\/(?:bmp|gif|jpeg|png|webp);base64,[\w+/=]*$/.test(seen)) return url
  return /^(?:javascript|vbscript|data):/i.test(seen) ? BLOCKED_ADDRESS : url
}

/** A name without the characters that override the direction of text, for where its markup is built by hand. */
export function withoutOverrides(name: string): string {
  return name.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
}

function print(value: HtmlValue, place: Place): string {
  if (value === null || value === undefined || typeof value === 'boolean') return ''
  if (value instanceof Markup) {
    if (place === 'value' || place === 'address') throw new TypeError('html: markup cannot stand in an attribute value')
    return value.toString()
  }
  if (typeof value === 'object') return value.map((item) => print(item, place)).join('')
  if (place === 'attributes') throw new TypeError('html: attributes come from attributes({…})')
  const text = String(value)
  return (place === 'address' ? safeUrl(text) : text).replace(/[&<>"']/g, (found) => ESCAPES[found] ?? '')
}

/** Reads the fixed parts of a template once and says what each hole between them is. */
function placesOf(strings: TemplateStringsArray): Place[] {
  const found: Place[] = []
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
    else if ((state === '"' || state === "'") && !CODE.test(attribute)) {
      found.push(ADDRESSES.has(attribute) && !valueStarted ? 'address' : 'value')
      valueStarted = true
    } else throw new TypeError(`html: nothing can be escaped after ${JSON.stringify(part.slice(-40))}`)
  }
  if (state !== 'text') throw new TypeError('html: a template ends inside a tag, a comment or a script')
  return found
}
