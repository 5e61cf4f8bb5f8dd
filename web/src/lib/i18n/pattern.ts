import type { IntlMessageFormat } from 'intl-messageformat'

/** A text, or the syntax tree of one with placeholders. */
export type Pattern = string | ReturnType<IntlMessageFormat['getAst']>
