import { ValidationError } from '../../lib/errors.ts'
import type { FieldError } from '../../lib/errors.ts'
import { isLongerThan } from '../../lib/text/count-characters.ts'
import { isBlank } from '../../lib/text/is-blank.ts'
import { normalizeLanguage } from '../../lib/text/language.ts'
import { normalizeHashtag } from '../../lib/text/entities/normalize-hashtag.ts'
import { COLLECTION_LIMITS } from './limits.ts'

/** The editable properties of a collection; undefined properties stay unchanged. */
export interface CollectionTexts {
  name?: string | undefined
  description?: string | undefined
  /** An empty string removes the language. */
  language?: string | undefined
  sensitive?: boolean | undefined
  /** Whether the profile and searches show the collection. */
  discoverable?: boolean | undefined
  /** A hashtag, with or without `#`; an empty string removes it. */
  tagName?: string | undefined
}

/** The validated properties, as they are stored. */
export interface CheckedCollection {
  name?: string
  description?: string
  language?: string | null
  sensitive?: boolean
  discoverable?: boolean
  /** `name`: the normalised name; `display`: the name as written. */
  tag?: { name: string; display: string } | null
}

/** In UTF-16 code units; longer inputs are rejected before they are parsed. */
const MAX_LANGUAGE_LENGTH = 100
const MAX_TAG_LENGTH = 2_000

type AddProblem = (attribute: string, code: string, text: string) => void

/**
 * Validates the properties of a collection. `isNew`: the name, `sensitive` and `discoverable` are required.
 * @throws ValidationError with all violations
 */
export function checkCollection(
  texts: CollectionTexts,
  { isNew = false }: { isNew?: boolean } = {},
): CheckedCollection {
  const problems: FieldError[] = []
  const problem: AddProblem = (attribute, code, text) => problems.push({ attribute, code, text })
  const { sensitive, discoverable } = texts
  if (isNew && sensitive === undefined) problem('sensitive', 'ERR_INCLUSION', 'is not included in the list')
  if (isNew && discoverable === undefined) problem('discoverable', 'ERR_INCLUSION', 'is not included in the list')
  const checked = {
    ...checkName(isNew ? (texts.name ?? '') : texts.name, problem),
    ...checkDescription(texts.description, problem),
    ...checkLanguage(texts.language, problem),
    ...checkTag(texts.tagName, problem),
    ...(sensitive === undefined ? {} : { sensitive }),
    ...(discoverable === undefined ? {} : { discoverable }),
  }
  if (problems.length > 0) throw new ValidationError(problems, { details: true })
  return checked
}

function checkName(text: string | undefined, problem: AddProblem): CheckedCollection {
  if (text === undefined || isTooLong('name', text, problem)) return {}
  // Replaces line breaks and other control characters, which would break lists.
  const name = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
  if (isBlank(name)) problem('name', 'ERR_BLANK', "can't be blank")
  return { name }
}

function checkDescription(text: string | undefined, problem: AddProblem): CheckedCollection {
  if (text === undefined || isTooLong('description', text, problem)) return {}
  return { description: text.trim() }
}

function isTooLong(attribute: 'name' | 'description', text: string, problem: AddProblem): boolean {
  const max = COLLECTION_LIMITS[attribute]
  const isLong = isLongerThan(max, text.trim())
  if (isLong) problem(attribute, 'ERR_TOO_LONG', `is too long (maximum is ${max} characters)`)
  return isLong
}

function checkLanguage(text: string | undefined, problem: AddProblem): CheckedCollection {
  if (text === undefined) return {}
  if (text.length > MAX_LANGUAGE_LENGTH) {
    problem('language', 'ERR_INVALID', 'is invalid')
    return {}
  }
  const language = text.trim() === '' ? null : normalizeLanguage(text.trim())
  if (language === null && text.trim() !== '') problem('language', 'ERR_INVALID', 'is invalid')
  return { language }
}

function checkTag(text: string | undefined, problem: AddProblem): CheckedCollection {
  if (text === undefined) return {}
  if (text.length > MAX_TAG_LENGTH) {
    problem('tag_name', 'ERR_INVALID', 'is invalid')
    return {}
  }
  const displayName = text.trim().replace(/^[#＃]/u, '')
  if (displayName === '') return { tag: null }
  const name = normalizeHashtag(displayName)
  // A hashtag is one word, so a name with spaces is rejected instead of shortened.
  if (name !== null && !/\s/.test(displayName)) return { tag: { name, display: displayName } }
  problem('tag_name', 'ERR_INVALID', 'is invalid')
  return {}
}
