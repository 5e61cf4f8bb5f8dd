import { Parser } from 'htmlparser2'

/** Elements without tags in them, whose end the parser must find. */
const RAW_TEXT_ELEMENTS = new Set(['title', 'script'])

/** Parses tags without their nesting, because the time for the nesting grows with the square of its depth. */
export class FlatTagParser extends Parser {
  override isVoidElement(name: string): boolean {
    return !RAW_TEXT_ELEMENTS.has(name)
  }
}
