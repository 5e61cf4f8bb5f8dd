import { jsonText } from '../../lib/json/json-content.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'

/** Returns an entity that a renderer has serialised, so that a command can print it in its own form. */
export function parseEntity<T>(json: EntityJson<T>): T {
  return JSON.parse(jsonText(json)) as T
}
