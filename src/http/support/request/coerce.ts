import type { TSchema } from 'typebox'
import { ParameterMissingError, ValidationError } from '../../../lib/errors.ts'
import { UploadedFile } from '../uploads/uploaded-file.ts'

/** The maximum length of lists; further items are dropped. */
const MAX_ITEMS = 1_000

/** The texts that Rails casts to false. An empty text is neither true nor false; all other scalars are true. */
const FALSE_TEXTS = new Set(['0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF'])

/** The parts of a JSON schema that requests use. */
interface RequestSchema {
  type?: string
  properties?: Record<string, RequestSchema>
  required?: string[]
  items?: RequestSchema
  anyOf?: RequestSchema[]
  enum?: unknown[]
  const?: unknown
  'x-file'?: boolean
  /** The value that null stands for, if null is not ignored. */
  'x-null'?: unknown
  /** For numbers: a blank text counts as absent, not as 0. */
  'x-blank-is-absent'?: boolean
}

/**
 * Converts a value from JSON, a form or a query to the types of a schema, so that all three mean the same. A scalar in
 * place of a list becomes a list of one; an index map (`a[0]=…`) becomes a list. Null and values of a wrong structure
 * (a list in place of a text, a scalar in place of a list of objects) count as absent.
 * @throws ParameterMissingError for a required parameter that is missing or only white space; ValidationError for a
 *   value outside its enum
 */
export function coerce(schema: TSchema, value: unknown): unknown {
  return coerceValue(schema, value, '')
}

function coerceValue(schema: RequestSchema, value: unknown, name: string): unknown {
  if (value === undefined) return undefined
  if (value === null) return schema['x-null']
  if (schema['x-file']) return value instanceof UploadedFile ? value : undefined
  if (schema.anyOf) return coerceUnion(schema.anyOf, value, name)
  if (schema.enum) return coerceEnum(schema.enum, value, name)
  if (schema.const !== undefined) return coerceEnum([schema.const], value, name)
  switch (schema.type) {
    case undefined:
      return value
    case 'boolean':
      return isScalar(value) && value !== '' ? !FALSE_TEXTS.has(String(value)) : undefined
    case 'string':
      return isScalar(value) ? cleanScalar(value) : undefined
    case 'integer':
    case 'number':
      if (schema['x-blank-is-absent'] && isBlankText(value)) return undefined
      return coerceNumber(value, schema.type)
    case 'array':
      if (schema.items?.type === 'object' && isScalar(value)) return undefined
      return toList(value)
        .slice(0, MAX_ITEMS)
        .map((item) => coerceValue(schema.items ?? {}, item, name))
        .filter((item) => item !== undefined)
    case 'object':
      return isRecord(value) ? coerceObject(schema, value) : undefined
    default:
      return value
  }
}

function coerceUnion(choices: RequestSchema[], value: unknown, name: string): unknown {
  if (choices.every((choice) => choice.const !== undefined))
    return coerceEnum(
      choices.map((choice) => choice.const),
      value,
      name,
    )
  const structured = typeof value === 'object'
  const matching = choices.find((choice) => (choice.type === 'array' || choice.type === 'object') === structured)
  return matching ? coerceValue(matching, value, name) : undefined
}

function coerceEnum(allowed: unknown[], value: unknown, name: string): unknown {
  if (!isScalar(value) || value === '') return undefined
  if (allowed.includes(value)) return value
  throw new ValidationError([{ attribute: name, code: 'ERR_INCLUSION', text: 'is not included in the list' }])
}

function coerceObject(schema: RequestSchema, value: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const shaped = Object.hasOwn(value, name) ? coerceValue(inner, value[name], name) : undefined
    if (shaped !== undefined) result[name] = shaped
  }
  for (const name of schema.required ?? []) {
    const found = result[name]
    if (found === undefined || isBlankText(found)) throw new ParameterMissingError(name)
  }
  return result
}

/** Parses a number as Rails does: the leading digits, or 0 if there are none. Clamps it to the safe integers. */
function coerceNumber(value: unknown, type: 'integer' | 'number'): number | undefined {
  if (!isScalar(value) || Number.isNaN(value)) return undefined
  const found =
    typeof value === 'number' ? value : Number(/^\s*[+-]?\d{1,400}(\.\d{1,400})?/.exec(String(value))?.[0] ?? 0)
  const bounded = Math.min(Math.max(found, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
  return type === 'integer' ? Math.trunc(bounded) : bounded
}

function toList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (isRecord(value)) return Object.values(value)
  return value === '' ? [] : [value]
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** Whether a value is what Rails calls a blank text: empty, or only white space. */
function isBlankText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof UploadedFile)
}

/** Removes NUL and replaces lone surrogates, which PostgreSQL cannot store. */
function cleanScalar(value: string | number | boolean): string {
  return String(value).toWellFormed().replaceAll('\u0000', '')
}
