import { ValidationFailed } from '../../lib/errors.ts'
import type { FieldError } from '../../lib/errors.ts'
import { isLongerThan } from '../../lib/text/countCharacters.ts'
import { isBlank } from '../../lib/text/isBlank.ts'
import { normalizeLanguage } from '../../lib/text/language.ts'
import { normalizeTag } from '../../lib/text/normalizeTag.ts'
import { COLLECTION_LIMITS } from './limits.ts'

/** What the owner of a collection says of it; what is left out stays as it is. */
export interface CollectionTexts {
  name?: string | undefined
  description?: string | undefined
  /** Empty: none. */
  language?: string | undefined
  sensitive?: boolean | undefined
  /** Whether it is shown on the profile and to whoever looks for collections. */
  discoverable?: boolean | undefined
  /** A hashtag, with `#` or without it; empty: none. */
  tagName?: string | undefined
}

/** The same as it will be stored. */
export interface CheckedTexts {
  name?: string
  description?: string
  language?: string | null
  sensitive?: boolean
  discoverable?: boolean
  /** `name` is the one under which tags are found, `display` as it was written. */
  topic?: { name: string; display: string } | null
}

/** UTF-16 units; what is longer is neither a language nor a hashtag. */
const MAX_LANGUAGE_LENGTH = 100
const MAX_TOPIC_LENGTH = 2_000

type Problem = (attribute: string, code: string, text: string) => void

/**
 * What is said of a collection, as it will be stored. `isNew`: the name and both switches have to be there.
 * @throws ValidationFailed with every rule that is broken
 */
export function checkCollection(texts: CollectionTexts, { isNew = false }: { isNew?: boolean } = {}): CheckedTexts {
  const problems: FieldError[] = []
  const problem: Problem = (attribute, code, text) => problems.push({ attribute, code, text })
  const { sensitive, discoverable } = texts
  if (isNew && sensitive === undefined) problem('sensitive', 'ERR_INCLUSION', 'is not included in the list')
  if (isNew && discoverable === undefined) problem('discoverable', 'ERR_INCLUSION', 'is not included in the list')
  const checked = {
    ...checkName(isNew ? (texts.name ?? '') : texts.name, problem),
    ...checkDescription(texts.description, problem),
    ...checkLanguage(texts.language, problem),
    ...checkTopic(texts.tagName, problem),
    ...(sensitive === undefined ? {} : { sensitive }),
    ...(discoverable === undefined ? {} : { discoverable }),
  }
  if (problems.length > 0) throw new ValidationFailed(problems, { details: true })
  return checked
}

function checkName(text: string | undefined, problem: Problem): CheckedTexts {
  if (text === undefined || isTooLong('name', text, problem)) return {}
  // Line breaks and other control characters have no place in a name: they would break lists.
  const name = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
  if (isBlank(name)) problem('name', 'ERR_BLANK', "can't be blank")
  return { name }
}

function checkDescription(text: string | undefined, problem: Problem): CheckedTexts {
  if (text === undefined || isTooLong('description', text, problem)) return {}
  return { description: text.trim() }
}

function isTooLong(attribute: 'name' | 'description', text: string, problem: Problem): boolean {
  const max = COLLECTION_LIMITS[attribute]
  const isLong = isLongerThan(max, text.trim())
  if (isLong) problem(attribute, 'ERR_TOO_LONG', `is too long (maximum is ${max} characters)`)
  return isLong
}

function checkLanguage(text: string | undefined, problem: Problem): CheckedTexts {
  if (text === undefined) return {}
  if (text.length > MAX_LANGUAGE_LENGTH) {
    problem('language', 'ERR_INVALID', 'is invalid')
    return {}
  }
  const language = text.trim() === '' ? null : normalizeLanguage(text.trim())
  if (language === null && text.trim() !== '') problem('language', 'ERR_INVALID', 'is invalid')
  return { language }
}

function checkTopic(text: string | undefined, problem: Problem): CheckedTexts {
  if (text === undefined) return {}
  if (text.length > MAX_TOPIC_LENGTH) {
    problem('tag_name', 'ERR_INVALID', 'is invalid')
    return {}
  }
  const display = text.trim().replace(/^[#＃]/u, '')
  if (display === '') return { topic: null }
  const name = normalizeTag(display)
  // A tag is one word: what would have to be dropped to make one of it was not meant as one.
  if (name !== null && !/\s/.test(display)) return { topic: { name, display } }
  problem('tag_name', 'ERR_INVALID', 'is invalid')
  return {}
}
