import { Parser } from 'htmlparser2'

/** Elements that hold no tags: of these it is known where they end. */
const RAW = new Set(['title', 'script'])

/** Sees tags, not their nesting: keeping account of that costs the square of its depth. */
export class TagReader extends Parser {
  override isVoidElement(name: string): boolean {
    return !RAW.has(name)
  }
}
