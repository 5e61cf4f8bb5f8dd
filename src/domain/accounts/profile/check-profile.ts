import { ValidationError } from '../../../lib/errors.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { isFarLongerThan, isLongerThan, isPostLongerThan } from '../../../lib/text/count-characters.ts'
import { isBlank } from '../../../lib/text/is-blank.ts'
import { canonicalDomain } from '../../../lib/usernames.ts'

/** The limits of a profile. Lengths are in user-perceived characters. The instance entity states them to clients. */
export const PROFILE_LIMITS = {
  displayName: 40,
  note: 500,
  imageDescription: 150,
  fields: 4,
  fieldName: 255,
  fieldValue: 255,
  attributionDomains: 100,
} as const

/** How much of an invalid domain an error message quotes. */
const MAX_QUOTED_CHARACTERS = 60

/**
 * The length of an entered domain, with scheme and white space, beyond which the rest is ignored: it is invalid anyway.
 */
const MAX_DOMAIN_LENGTH = 1_000

/** The texts of a profile to change. Absent properties stay as they are. */
export interface ProfileTexts {
  displayName?: string
  note?: string
  avatarDescription?: string
  headerDescription?: string
  fields?: readonly ProfileField[]
  /** Domains of sites that may name the account as an author. A scheme in front is removed. */
  attributionDomains?: readonly string[]
}

interface ProfileField {
  name: string
  value: string
}

/**
 * Returns the texts of a profile as they are stored: names and fields on one line, without blank fields, each domain
 * once and in its canonical form.
 * @throws ValidationError with every violated rule
 */
export function checkProfile(texts: ProfileTexts): ProfileTexts {
  const problems: FieldError[] = []
  const addTooLong = (attribute: string, max: number) =>
    problems.push({ attribute, code: 'ERR_TOO_LONG', text: `is too long (maximum is ${max} characters)` })
  // A text that is far too long is not cleaned, to save the time.
  const cleanField = (
    attribute: string,
    input: string,
    { max, clean }: { max: number; clean(text: string): string },
  ) => {
    const text = isFarLongerThan(max, input) ? input : clean(input)
    if (isLongerThan(max, text)) addTooLong(attribute, max)
    return text
  }
  const checked: ProfileTexts = {}
  if (texts.displayName !== undefined) {
    const max = PROFILE_LIMITS.displayName
    checked.displayName = cleanField('display_name', texts.displayName, { max, clean: collapseToOneLine })
  }
  if (texts.note !== undefined) {
    checked.note = texts.note.trim()
    if (isPostLongerThan(PROFILE_LIMITS.note, { text: checked.note })) addTooLong('note', PROFILE_LIMITS.note)
  }
  for (const image of ['avatar', 'header'] as const) {
    const description = texts[`${image}Description`]
    if (description === undefined) continue
    const max = PROFILE_LIMITS.imageDescription
    checked[`${image}Description`] = cleanField(`${image}_description`, description, {
      max,
      clean: (text) => text.trim(),
    })
  }
  if (texts.fields !== undefined) {
    checked.fields = texts.fields
      .map(({ name, value }) => ({
        name: cleanField('fields', name, { max: PROFILE_LIMITS.fieldName, clean: collapseToOneLine }),
        value: cleanField('fields', value, { max: PROFILE_LIMITS.fieldValue, clean: collapseToOneLine }),
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
    const { domains, problem } = parseDomains(texts.attributionDomains)
    checked.attributionDomains = domains
    if (problem) problems.push({ attribute: 'attribution_domains', ...problem })
  }
  if (problems.length > 0) throw new ValidationError(problems)
  return checked
}

/**
 * Returns the canonical domains. Several spellings of one domain count once. Hosts without a dot and IP addresses are
 * invalid.
 */
function parseDomains(inputs: readonly string[]): { domains: string[]; problem?: Omit<FieldError, 'attribute'> } {
  const domains = new Set<string>()
  for (const text of inputs.map((input) =>
    input
      .slice(0, MAX_DOMAIN_LENGTH)
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/\/$/, ''),
  )) {
    if (text === '') continue
    const domain = canonicalDomain(text)
    if (domain === null || !/\.[^.]*[a-z]/.test(domain)) {
      const quoted = collapseToOneLine(text.slice(0, MAX_QUOTED_CHARACTERS))
      return { domains: [], problem: { code: 'ERR_INVALID', text: `holds “${quoted}”, which is not a domain` } }
    }
    domains.add(domain)
  }
  const max = PROFILE_LIMITS.attributionDomains
  return domains.size > max
    ? { domains: [], problem: { code: 'ERR_TOO_LONG', text: `is too long (maximum is ${max} domains)` } }
    : { domains: [...domains] }
}

/** Replaces line breaks and other control characters by blanks: in a name they would break mails and lists. */
function collapseToOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
