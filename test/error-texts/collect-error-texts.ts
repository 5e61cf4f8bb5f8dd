import { globSync } from 'node:fs'
import { propertyOf, TextResolver } from './resolve-texts.ts'
import { nameOf, nodesIn, readWithImports } from './source-file.ts'
import type { Node } from './source-file.ts'

/** English texts that the sources contain; `{0}`, `{1}`, … stand for parts that are only known at run time. */
export interface CollectedTexts {
  /** Texts of whole errors. */
  messages: string[]
  /** Texts that follow the name of an invalid field. */
  problems: string[]
  /** Names of invalid fields. */
  attributes: string[]
}

/**
 * Collects the texts of errors from the files with these patterns and from all that they import.
 */
export function collectErrorTexts(root: string, { patterns }: { patterns: readonly string[] }): CollectedTexts {
  const paths = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }))
  const sources = paths.filter((path) => !path.endsWith('.test.ts'))
  const files = readWithImports(root, sources)
  const resolver = new TextResolver(files)
  const collected = { messages: new Set<string>(), problems: new Set<string>(), attributes: new Set<string>() }
  for (const { file, node } of resolver.argumentsOf('RequestError', 1)) {
    for (const text of resolver.textsOf(file, node).filter(isText)) collected.messages.add(text)
  }
  for (const file of files) {
    for (const node of file.nodes) {
      const problems = problemNodes(node).flatMap((problem) => resolver.textsOf(file, problem))
      for (const text of problems.filter(isText)) collected.problems.add(text)
      const attribute = isProblem(node) ? propertyOf(node, 'attribute') : null
      for (const name of resolver.textsOf(file, attribute).filter(isName)) collected.attributes.add(name)
    }
  }
  const { messages, problems, attributes } = collected
  return { messages: [...messages], problems: [...problems], attributes: [...attributes] }
}

/** Texts are for people, unlike codes such as `invalid_client`, and have more than placeholders. */
const isText = (text: string): boolean => / \w/.test(text) && text !== VALIDATION_FAILED

/** The frame that `ValidationError` puts around problems. */
const VALIDATION_FAILED = 'Validation failed: {0}'

const isName = (attribute: string): boolean => /^\w+$/.test(attribute) && attribute !== 'base'

const hasKey = (node: Node, name: string): boolean =>
  nodesIn(node, 'properties').some(({ type, key }) => type === 'Property' && nameOf(key) === name)

/** Whether a node is a `FieldError` or its part, which other objects spread. */
const isProblem = (node: Node): boolean =>
  node.type === 'ObjectExpression' && (hasKey(node, 'code') || hasKey(node, 'attribute'))

function problemNodes(node: Node): Node[] {
  const text = isProblem(node) ? propertyOf(node, 'text') : null
  const problem = node.type === 'ObjectExpression' ? propertyOf(node, 'problem') : null
  return [text, problem].filter((found) => found !== null)
}
