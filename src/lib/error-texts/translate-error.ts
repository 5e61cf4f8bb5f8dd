import { isWholeRequest, NestedValidationError, ValidationError } from '../errors.ts'
import type { RequestError } from '../errors.ts'
import type { ErrorTexts } from './error-texts.ts'
import { ARABIC } from './arabic.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import { SPANISH } from './spanish.ts'

/** Catalogues by the primary subtag of the language (BCP 47). */
const CATALOGUES: ReadonlyMap<string, ErrorTexts> = new Map([
  ['ar', ARABIC],
  ['de', GERMAN],
  ['es', SPANISH],
  ['fr', FRENCH],
])

/**
 * Returns the JSON body of an error in the first of these languages that has a catalogue (BCP 47, the preferred ones
 * first). Texts without a translation remain English.
 */
export function translateError(
  error: RequestError,
  { languages }: { languages: readonly string[] },
): Record<string, unknown> {
  const { message, extraFields } = error
  const texts = preferredTexts(languages)
  if (!texts) return { error: message, ...extraFields }
  if (error instanceof NestedValidationError) return { error: translateNested(texts, error) }
  if (!(error instanceof ValidationError)) {
    const text = translate(texts.messages, message) ?? message
    const prefix = fill(texts.validationFailed, [''])
    const description = { from: withoutPrefix(message, 'Validation failed: '), to: withoutPrefix(text, prefix) }
    return { error: text, ...replaceDescriptions(extraFields, description) }
  }
  const problems = error.fields.map(({ attribute, text }) => translateProblem(texts, { attribute, text }))
  if (problems.some((problem) => problem === null)) return { error: message, ...extraFields }
  return {
    error: fill(texts.validationFailed, [problems.join(', ')]),
    ...extraFields,
    ...(extraFields['details'] === undefined ? {} : { details: describe(error, problems as string[]) }),
  }
}

function translateProblem(texts: ErrorTexts, { attribute, text }: { attribute: string; text: string }): string | null {
  const problem = translate(texts.problems, text)
  if (problem === null || isWholeRequest(attribute)) return problem
  const name = (texts.attributes as Record<string, string>)[attribute] ?? fill(texts.otherAttribute, [attribute])
  return `${name} ${problem}`
}

function translateNested(texts: ErrorTexts, { fields, extraFields }: NestedValidationError): unknown {
  const translated = fields.map((field) => ({ ...field, text: translate(texts.problems, field.text) ?? field.text }))
  const problems = fields.map((field) => translateProblem(texts, field))
  if (problems.some((problem) => problem === null)) return extraFields['error']
  const { error } = new NestedValidationError(new ValidationError(translated)).extraFields as { error: object }
  return { ...error, error: fill(texts.validationFailed, [problems.join(', ')]) }
}

/** Returns Mastodon's `details` (POST /api/v1/accounts): the problems by field. */
function describe({ fields }: ValidationError, problems: readonly string[]): Record<string, unknown> {
  const byField = Map.groupBy(fields.entries(), ([, { attribute }]) => attribute)
  return Object.fromEntries(
    [...byField].map(([attribute, entries]) => [
      attribute,
      entries.map(([index, { code }]) => ({ error: code, description: problems[index] })),
    ]),
  )
}

const withoutPrefix = (text: string, prefix: string) => (text.startsWith(prefix) ? text.slice(prefix.length) : text)

/** Replaces the text of an error where `details` repeat it, as those of images do. */
function replaceDescriptions(
  extraFields: Record<string, unknown>,
  { from, to }: { from: string; to: string },
): Record<string, unknown> {
  if (extraFields['details'] === undefined) return extraFields
  const details: unknown = JSON.parse(JSON.stringify(extraFields['details']), (name, value: unknown) =>
    name === 'description' && value === from ? to : value,
  )
  return { ...extraFields, details }
}

/** Returns null for English, and if none of the languages has a catalogue. */
function preferredTexts(languages: readonly string[]): ErrorTexts | null {
  const subtags = languages.map((tag) => tag.toLowerCase().split(/[-_]/)[0]!)
  const preferred = subtags.find((language) => language === 'en' || CATALOGUES.has(language))
  return CATALOGUES.get(preferred ?? '') ?? null
}

const patterns = new Map<string, RegExp>()

/** Returns the translation of a text, or null. Texts with placeholders are matched as patterns. */
function translate(texts: Readonly<Record<string, string>>, english: string): string | null {
  const same = texts[english]
  if (same !== undefined) return same
  for (const [key, translation] of Object.entries(texts)) {
    if (!key.includes('{0}')) continue
    let pattern = patterns.get(key)
    if (!pattern) patterns.set(key, (pattern = new RegExp(`^${RegExp.escape(key).replaceAll(/\\\{\d\\\}/g, '(.+)')}$`)))
    const found = pattern.exec(english)
    if (found) return fill(translation, found.slice(1))
  }
  return null
}

function fill(text: string, values: readonly string[]): string {
  return text.replaceAll(/\{(\d)\}/g, (_whole, index: string) => values[Number(index)] ?? '')
}
