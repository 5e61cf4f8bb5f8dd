import { IntlMessageFormat } from 'intl-messageformat'
import type { Formatters } from 'intl-messageformat'
import { html, isolateDirection, isolateDirectionOfText } from '../html/html.ts'
import type { HtmlValue, SafeHtml } from '../html/html.ts'
import { CATALOGUES, findPattern } from './catalogues.ts'
import { directionOf } from './locales.ts'
import type { Locale } from './locales.ts'
import type { MessageKinds } from './message-kinds.ts'

type MessageId = keyof MessageKinds

/** The types of placeholder values in plain text. A message with tags has no plain text. */
interface PlainValues {
  text: string
  number: number
  tag: never
}

/** The types of placeholder values in markup. Strings are escaped. The function of a tag receives its content. */
interface MarkupValues {
  text: string | SafeHtml
  number: number
  tag: (enclosed: HtmlValue) => SafeHtml
}

/** The values of a message, or, for an id that is chosen at run time, the values of all its candidates. */
type ValuesOf<Id extends MessageId, Values extends Record<'text' | 'number' | 'tag', unknown>> = (
  Id extends MessageId
    ? (values: { [Name in keyof MessageKinds[Id]]: Values[MessageKinds[Id][Name] & keyof Values] }) => void
    : never
) extends (values: infer All) => void
  ? All
  : never

/** A message without placeholders takes no argument. */
type Arguments<Values> = keyof Values extends never ? [] : [values: Values]

/** Returns a message as plain text, in English if the language has no translation of it. */
export function message<Id extends MessageId>(
  locale: Locale,
  id: Id,
  ...[values]: Arguments<ValuesOf<Id, PlainValues>>
): string {
  const compiled = findCompiled(locale, id)
  return typeof compiled === 'string'
    ? compiled
    : (compiled.format(isolateValues(locale, { values, isolate: isolateDirectionOfText })) as string)
}

/** Returns a message as markup, in English if the language has no translation of it. The template engine escapes it. */
export function markup<Id extends MessageId>(
  locale: Locale,
  id: Id,
  ...[values]: Arguments<ValuesOf<Id, MarkupValues>>
): SafeHtml {
  const compiled = findCompiled(locale, id)
  if (typeof compiled === 'string') return html`${compiled}`
  return html`${compiled.format<SafeHtml>(isolateValues(locale, { values, isolate: isolateDirection }))}`
}

/**
 * Isolates texts that are inserted into right-to-left messages, so that a Latin name or domain keeps its order
 * (Unicode UAX #9).
 */
function isolateValues(
  locale: Locale,
  { values, isolate }: { values: unknown; isolate: (text: string) => string | SafeHtml },
): Record<string, string> {
  if (!values || directionOf(locale) === 'ltr') return values as Record<string, string>
  const isolated = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? isolate(value) : value,
  ])
  return Object.fromEntries(isolated) as Record<string, string>
}

/** Returns a message without placeholders whose id contains an arbitrary value, or null if there is no such message. */
export function findMessage(locale: Locale, id: `problem.${string}` | `scope.${string}`): string | null {
  if (!Object.hasOwn(CATALOGUES.en, id)) return null
  const compiled = findCompiled(locale, id as MessageId)
  return typeof compiled === 'string' ? compiled : null
}

/** A string for messages without placeholders. */
type Compiled = string | IntlMessageFormat

const cache = new Map<Locale, Map<string, Compiled>>()

/** Compiles a message at its first use. Catalogues are part of the program, so the size of the cache is limited. */
function findCompiled(locale: Locale, id: MessageId): Compiled {
  let messages = cache.get(locale)
  if (!messages) cache.set(locale, (messages = new Map()))
  let compiled = messages.get(id)
  if (compiled === undefined) messages.set(id, (compiled = compile(locale, id)))
  return compiled
}

function compile(locale: Locale, id: MessageId): Compiled {
  const { pattern, language } = findPattern(CATALOGUES, { locale, id })
  const format = new IntlMessageFormat(pattern, language, undefined, { formatters })
  const isConstant = format.getAst().every(({ type }: { type: number }) => type === LITERAL)
  return isConstant ? (format.format() as string) : format
}

/** The type of a literal in the syntax tree of `intl-messageformat`, which does not export the enum. */
const LITERAL = 0

/** Shared by all messages, because the construction of `Intl` objects is slow. */
const formatters: Formatters = {
  getNumberFormat: shared((locales, options) => new Intl.NumberFormat(locales, options as Intl.NumberFormatOptions)),
  getDateTimeFormat: shared(
    (locales, options) => new Intl.DateTimeFormat(locales, options as Intl.DateTimeFormatOptions),
  ),
  getPluralRules: shared((locales, options) => new Intl.PluralRules(locales, options as Intl.PluralRulesOptions)),
}

function shared<Format>(
  create: (locales?: Intl.LocalesArgument, options?: object) => Format,
): (locales?: Intl.LocalesArgument, options?: object) => Format {
  const formats = new Map<string, Format>()
  return (locales, options) => {
    // Most calls have no options, and creating the key from them takes most of the time of a plural.
    const key = options === undefined ? String(locales) : `${String(locales)} ${JSON.stringify(options)}`
    let format = formats.get(key)
    if (format === undefined) formats.set(key, (format = create(locales, options)))
    return format
  }
}
