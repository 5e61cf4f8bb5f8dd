import type { TSchema } from 'typebox'
import { ParameterMissing, ValidationFailed } from '../../lib/errors.ts'
import { UploadedFile } from './files.ts'

/** Longest list that a parameter may hold; the rest is cut off. */
const MAX_ITEMS = 1_000

/** What Rails takes for false. Nothing is neither; everything else that is a scalar is true. */
const FALSE_TEXTS = new Set(['0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF'])

/** The parts of a JSON schema that requests use. */
interface Shape {
  type?: string
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  anyOf?: Shape[]
  enum?: unknown[]
  const?: unknown
  'x-file'?: boolean
  /** What null stands for, where it says something. */
  'x-null'?: unknown
}

/**
 * Brings what came in by JSON, by form or by query into the shape of a schema, so that all three mean the same.
 * A scalar for a list is a list of one; an index map (`a[0]=…`) is a list; null, and a value of a shape that can't be
 * meant (a list for a text), is as if it had not been sent.
 * @throws ParameterMissing for a required one · ValidationFailed for a word outside its list
 */
export function coerce(schema: TSchema, value: unknown): unknown {
  return shape(schema, value, '')
}

function shape(schema: Shape, value: unknown, name: string): unknown {
  if (value === undefined) return undefined
  if (value === null) return schema['x-null']
  if (schema['x-file']) return value instanceof UploadedFile ? value : undefined
  if (schema.anyOf) return oneOf(schema.anyOf, value, name)
  if (schema.enum) return word(schema.enum, value, name)
  if (schema.const !== undefined) return word([schema.const], value, name)
  switch (schema.type) {
    case undefined:
      return value
    case 'boolean':
      return isScalar(value) && value !== '' ? !FALSE_TEXTS.has(String(value)) : undefined
    case 'string':
      return isScalar(value) ? cleanScalar(value) : undefined
    case 'integer':
    case 'number':
      return number(value, schema.type)
    case 'array':
      return list(value)
        .slice(0, MAX_ITEMS)
        .map((item) => shape(schema.items ?? {}, item, name))
        .filter((item) => item !== undefined)
    case 'object':
      return isRecord(value) ? record(schema, value) : undefined
    default:
      return value
  }
}

function oneOf(choices: Shape[], value: unknown, name: string): unknown {
  if (choices.every((choice) => choice.const !== undefined))
    return word(
      choices.map((choice) => choice.const),
      value,
      name,
    )
  const structured = typeof value === 'object'
  const fitting = choices.find((choice) => (choice.type === 'array' || choice.type === 'object') === structured)
  return fitting ? shape(fitting, value, name) : undefined
}

function word(words: unknown[], value: unknown, name: string): unknown {
  if (!isScalar(value) || value === '') return undefined
  if (words.includes(value)) return value
  throw new ValidationFailed([{ attribute: name, code: 'ERR_INCLUSION', text: 'is not included in the list' }])
}

function record(schema: Shape, value: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const shaped = Object.hasOwn(value, name) ? shape(inner, value[name], name) : undefined
    if (shaped !== undefined) result[name] = shaped
  }
  for (const name of schema.required ?? []) {
    if (result[name] === undefined || result[name] === '') throw new ParameterMissing(name)
  }
  return result
}

/** A number as Rails reads it: what stands in front, and nothing counts as 0. What is out of bounds is at the bound. */
function number(value: unknown, type: 'integer' | 'number'): number | undefined {
  if (!isScalar(value)) return undefined
  const found =
    typeof value === 'number' ? value : Number(/^\s*[+-]?\d{1,400}(\.\d{1,400})?/.exec(String(value))?.[0] ?? 0)
  const bounded = Math.min(Math.max(found, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
  return type === 'integer' ? Math.trunc(bounded) : bounded
}

function list(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (isRecord(value)) return Object.values(value)
  return value === '' ? [] : [value]
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof UploadedFile)
}

/** PostgreSQL knows neither NUL nor half characters. */
function cleanScalar(value: string | number | boolean): string {
  return String(value).toWellFormed().replaceAll('\u0000', '')
}
