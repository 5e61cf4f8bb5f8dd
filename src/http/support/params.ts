import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { NotFound } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'

/** An id in a path. Anything that can't be one answers as an unknown id does. */
export const PathId = Type.String({ 'x-id': true })

export const ById = Type.Object({ id: PathId })

/** @throws NotFound when a path's id is none */
export function checkParams(schema: TSchema, params: unknown): unknown {
  const properties = (schema as { properties?: Record<string, { 'x-id'?: boolean }> }).properties ?? {}
  for (const [name, property] of Object.entries(properties)) {
    const value = (params as Record<string, unknown>)[name]
    if (property['x-id'] ? !isId(value) : typeof value !== 'string' || value.includes('\u0000')) throw new NotFound()
  }
  return params
}
