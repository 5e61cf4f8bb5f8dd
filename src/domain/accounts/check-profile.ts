import { ValidationFailed } from '../../lib/errors.ts'
import type { FieldError } from '../../lib/errors.ts'
import { isFarLongerThan, isLongerThan, isPostLongerThan } from '../../lib/text/countCharacters.ts'
import { isBlank } from '../../lib/text/isBlank.ts'
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

/** Of a domain with a scheme and blanks around it; a longer one is no domain, however it goes on. */
const MAX_DOMAIN_UNITS = 1_000

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
  const addTooLong = (attribute: string, max: number) =>
    problems.push({ attribute, code: 'ERR_TOO_LONG', text: `is too long (maximum is ${max} characters)` })
  // What is far too long is not even cleaned.
  const read = (attribute: string, typed: string, { max, clean }: { max: number; clean(text: string): string }) => {
    const text = isFarLongerThan(max, typed) ? typed : clean(typed)
    if (isLongerThan(max, text)) addTooLong(attribute, max)
    return text
  }
  const checked: ProfileTexts = {}
  if (texts.displayName !== undefined) {
    const max = PROFILE_LIMITS.displayName
    checked.displayName = read('display_name', texts.displayName, { max, clean: onOneLine })
  }
  if (texts.note !== undefined) {
    checked.note = texts.note.trim()
    if (isPostLongerThan(PROFILE_LIMITS.note, { text: checked.note })) addTooLong('note', PROFILE_LIMITS.note)
  }
  for (const image of ['avatar', 'header'] as const) {
    const description = texts[`${image}Description`]
    if (description === undefined) continue
    const max = PROFILE_LIMITS.imageDescription
    checked[`${image}Description`] = read(`${image}_description`, description, { max, clean: (text) => text.trim() })
  }
  if (texts.fields !== undefined) {
    checked.fields = texts.fields
      .map(({ name, value }) => ({
        name: read('fields', name, { max: PROFILE_LIMITS.fieldName, clean: onOneLine }),
        value: read('fields', value, { max: PROFILE_LIMITS.fieldValue, clean: onOneLine }),
      }))
      .filter(({ name, value }) => !isBlank(name) || !isBlank(value))
    if (checked.fields.length > PROFILE_LIMITS.fields) {
      problems.push({
        attribute: 'fields',
        code: 'ERR_TOO_MANY',
        text: `exceed the maximum of ${PROFILE_LIMITS.fields}`,
      })
    }
    for (const { name } of checked.fields.slice(0, PROFILE_LIMITS.fields)) {
      if (isBlank(name)) problems.push({ attribute: 'fields', code: 'ERR_BLANK', text: 'must have a label' })
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
      .slice(0, MAX_DOMAIN_UNITS)
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
