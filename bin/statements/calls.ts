import { parseSync, Visitor } from 'oxc-parser'

/** A call of `statement` in a source file. Lines and columns start at 1. */
interface Call {
  line: number
  column: number
  /** The text of its type argument; `object` without one. */
  declared: string
}

/**
 * Returns the calls of the imported `statement` in a file, with types on one line, so that each assertion is one line.
 */
export function findCalls(file: string, source: string): Call[] {
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const calls: Call[] = []
  let isImported = false
  new Visitor({
    ImportDeclaration({ source: from, specifiers }) {
      isImported ||= from.value.endsWith('/statement.ts') && specifiers.some(({ local }) => local.name === 'statement')
    },
    CallExpression({ callee, typeArguments }) {
      if (callee.type !== 'Identifier' || callee.name !== 'statement') return
      const line = starts.findLastIndex((start) => start <= callee.start)
      const [argument] = typeArguments?.params ?? []
      const declared = argument ? source.slice(argument.start, argument.end) : 'object'
      calls.push({ line: line + 1, column: callee.start - starts[line]! + 1, declared: onOneLine(declared) })
    },
  }).visit(parseSync(file, source).program)
  return isImported ? calls : []
}

function onOneLine(type: string): string {
  return type
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')
    .replaceAll(/([^{;,|&<(\s])\s*\n\s*(?=[A-Za-z_'"])/g, '$1; ')
    .replaceAll(/\s*\n\s*/g, ' ')
}
