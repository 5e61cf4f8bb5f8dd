import type { TSchema } from 'typebox'
import { pathOf } from './nested.ts'

interface Shape {
  'x-file'?: boolean
  anyOf?: Shape[]
  properties?: Record<string, Shape>
  items?: Shape
}

/** Whether a field of a form, such as `media_attributes[][thumbnail]`, is one of those in which a body takes a file. */
export function takesFile(schema: TSchema | undefined, fieldName: string): boolean {
  const path = pathOf(fieldName)
  return path !== null && schema !== undefined && leadsToFile(schema, path)
}

function leadsToFile(schema: Shape, path: string[]): boolean {
  if (schema.anyOf) return schema.anyOf.some((one) => leadsToFile(one, path))
  const [key, ...rest] = path
  if (key === undefined) return schema['x-file'] === true
  if (schema.items) return /^\d*$/.test(key) && leadsToFile(schema.items, rest)
  return Object.hasOwn(schema.properties ?? {}, key) && leadsToFile(schema.properties![key]!, rest)
}
