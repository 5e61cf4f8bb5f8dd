import { Type } from 'typebox'
import type { TSchema } from 'typebox'
import { NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'

/** An id in a path. Values that cannot be ids get the same response as unknown ids. */
export const PathId = Type.String({ 'x-id': true })

export const IdParams = Type.Object({ id: PathId })

/** Returns the parameters of a path. @throws NotFoundError if an id is not valid, or a text contains NUL */
export function checkPathParams(schema: TSchema, params: unknown): unknown {
  const properties = (schema as { properties?: Record<string, { 'x-id'?: boolean }> }).properties ?? {}
  for (const [name, property] of Object.entries(properties)) {
    const value = (params as Record<string, unknown>)[name]
    if (property['x-id'] ? !isId(value) : typeof value !== 'string' || value.includes('\u0000'))
      throw new NotFoundError()
  }
  return params
}
