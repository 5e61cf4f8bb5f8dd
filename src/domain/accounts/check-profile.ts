import { ValidationFailed } from '../../lib/errors.ts'
import type { FieldError } from '../../lib/errors.ts'
import { countCharacters, countGraphemes } from '../../lib/text/countCharacters.ts'
import { canonicalDomain } from '../../lib/usernames.ts'

/** The limits of a profile, in characters as readers count them; the instance entity tells them to clients. */
export const PROFILE_LIMITS = {
  displayName: 40,
  note: 500,
  imageDescription: 150,
  fields: 4,
  fieldName: 255,
  fieldValue: 255,
  attributionDomains: 100,
} as const

/** As much of what was typed as a refusal repeats. */
const MAX_QUOTED = 60

/** What a person wrote about themselves; what is left out stays as it is. */
export interface ProfileTexts {
  displayName?: string
  note?: string
  avatarDescription?: string
  headerDescription?: string
  fields?: readonly ProfileField[]
  /** Sites that may name the person as an author; a scheme in front is not counted as part of one. */
  attributionDomains?: readonly string[]
}

interface ProfileField {
  name: string
  value: string
}

/**
 * The texts of a profile as they will be stored: names and fields on one line, blank fields left out,
 * each domain once and in its canonical form.
 * @throws ValidationFailed with every rule that is broken
 */
export function checkProfile(texts: ProfileTexts): ProfileTexts {
  const problems: FieldError[] = []
  const limit = (attribute: string, length: number, max: number) => {
    if (length > max)
      problems.push({ attribute, code: 'ERR_TOO_LONG', text: `is too long (maximum is ${max} characters)` })
  }
  const checked: ProfileTexts = {}
  if (texts.displayName !== undefined) {
    checked.displayName = onOneLine(texts.displayName)
    limit('display_name', countGraphemes(checked.displayName), PROFILE_LIMITS.displayName)
  }
  if (texts.note !== undefined) {
    checked.note = texts.note.trim()
    limit('note', countCharacters({ text: checked.note }), PROFILE_LIMITS.note)
  }
  for (const image of ['avatar', 'header'] as const) {
    const description = texts[`${image}Description`]
    if (description === undefined) continue
    checked[`${image}Description`] = description.trim()
    limit(`${image}_description`, countGraphemes(description.trim()), PROFILE_LIMITS.imageDescription)
  }
  if (texts.fields !== undefined) {
    checked.fields = texts.fields
      .map(({ name, value }) => ({ name: onOneLine(name), value: onOneLine(value) }))
      .filter(({ name, value }) => name !== '' || value !== '')
    if (checked.fields.length > PROFILE_LIMITS.fields) {
      problems.push({
        attribute: 'fields',
        code: 'ERR_TOO_MANY',
        text: `exceed the maximum of ${PROFILE_LIMITS.fields}`,
      })
    }
    for (const { name, value } of checked.fields.slice(0, PROFILE_LIMITS.fields)) {
      if (name === '') problems.push({ attribute: 'fields', code: 'ERR_BLANK', text: 'must have a label' })
      limit('fields', countGraphemes(name), PROFILE_LIMITS.fieldName)
      limit('fields', countGraphemes(value), PROFILE_LIMITS.fieldValue)
    }
  }
  if (texts.attributionDomains !== undefined) {
    const { domains, problem } = readDomains(texts.attributionDomains)
    checked.attributionDomains = domains
    if (problem) problems.push({ attribute: 'attribution_domains', ...problem })
  }
  if (problems.length > 0) throw new ValidationFailed(problems)
  return checked
}

/** One domain may come in several spellings, and counts once. A name without a dot is no site of the Internet, an address is no name. */
function readDomains(typed: readonly string[]): { domains: string[]; problem?: Omit<FieldError, 'attribute'> } {
  const domains = new Set<string>()
  for (const text of typed.map((one) =>
    one
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/\/$/, ''),
  )) {
    if (text === '') continue
    const domain = canonicalDomain(text)
    if (domain === null || !/\.[^.]*[a-z]/.test(domain)) {
      const quoted = onOneLine(text.slice(0, MAX_QUOTED))
      return { domains: [], problem: { code: 'ERR_INVALID', text: `holds “${quoted}”, which is not a domain` } }
    }
    domains.add(domain)
  }
  const max = PROFILE_LIMITS.attributionDomains
  return domains.size > max
    ? { domains: [], problem: { code: 'ERR_TOO_LONG', text: `is too long (maximum is ${max} domains)` } }
    : { domains: [...domains] }
}

/** Line breaks and other control characters have no place in a name: they would break letters and lists. */
function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
