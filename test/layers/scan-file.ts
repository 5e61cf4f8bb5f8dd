import { parseSync } from 'oxc-parser'

export interface Import {
  /** The text of the import: `./x.ts`, `node:http`, `pg`. */
  specifier: string
  line: number
  how: 'value' | 'type' | 'dynamic' | 'url'
  /** The imported names; `default` and `*` stand for those two forms. Empty for side effects and dynamic imports. */
  names: string[]
}

type CodePattern =
  | 'default export'
  | 'export star'
  | 'barrel'
  | 'global fetch'
  | 'computed import'
  | 'sleep'
  | 'direct query'
  | 'syntax error'

export interface Scan {
  imports: Import[]
  /** Patterns that a rule may forbid, with their lines. */
  patterns: { pattern: CodePattern; line: number }[]
}

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const nameOf = (value: unknown): string | undefined =>
  isNode(value) ? ((value['name'] ?? value['value']) as string | undefined) : undefined

const isIdentifier = (value: unknown, name: string): boolean =>
  isNode(value) && value.type === 'Identifier' && value['name'] === name

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode))
}

function* walk(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* walk(child)
}

function importedNames(specifiers: unknown): string[] {
  if (!Array.isArray(specifiers)) return []
  return specifiers.filter(isNode).map((one) => {
    if (one.type === 'ImportDefaultSpecifier') return 'default'
    if (one.type === 'ImportNamespaceSpecifier') return '*'
    return nameOf(one['imported'] ?? one['local']) ?? '*'
  })
}

/**
 * Returns whether the executor of a promise only waits: `setTimeout(resolve, n)` or `setTimeout(() => resolve(), n)`.
 */
function isSleep(node: Node): boolean {
  const [executor] = (node['arguments'] as unknown[]) ?? []
  if (!isIdentifier(node['callee'], 'Promise') || !isNode(executor)) return false
  const resolve = nameOf((executor['params'] as unknown[] | undefined)?.[0])
  return [...walk(executor)].some((inner) => {
    if (inner.type !== 'CallExpression' || !isIdentifier(inner['callee'], 'setTimeout')) return false
    const [then] = inner['arguments'] as unknown[]
    if (!isNode(then) || resolve === undefined) return false
    return (
      isIdentifier(then, resolve) ||
      (isNode(then['body']) &&
        [...walk(then['body'])].some((call) => call.type === 'CallExpression' && isIdentifier(call['callee'], resolve)))
    )
  })
}

/** Parses a TypeScript file; returns its imports (also of types and by `import()`) and its patterns. */
export function scanFile(path: string, source: string): Scan {
  const { program, errors } = parseSync(path, source)
  const root = program as unknown as Node
  const imports: Import[] = []
  const patterns: Scan['patterns'] = []
  const lineOf = (offset: number): number => source.slice(0, offset).split('\n').length
  const record = (pattern: CodePattern, node: { start: number }): void =>
    void patterns.push({ pattern, line: lineOf(node.start) })

  if (errors[0]) record('syntax error', { start: errors[0].labels[0]?.start ?? 0 })

  const ownFetch = [...walk(root)].some(
    (node) =>
      (node.type.startsWith('Import') && isIdentifier(node['local'], 'fetch')) ||
      (/^(FunctionDeclaration|VariableDeclarator)$/.test(node.type) && isIdentifier(node['id'], 'fetch')) ||
      (Array.isArray(node['params']) &&
        node['params'].filter(isNode).some((one) => [...walk(one)].some((inner) => isIdentifier(inner, 'fetch')))),
  )

  for (const node of walk(root)) {
    const add = (how: Import['how'], specifier: unknown, names: string[] = []): void => {
      const text = nameOf(specifier)
      if (typeof text === 'string') imports.push({ specifier: text, line: lineOf(node.start), how, names })
    }
    switch (node.type) {
      case 'ImportDeclaration': {
        const specifiers = node['specifiers'] as Node[]
        const onlyTypes =
          node['importKind'] === 'type' ||
          (specifiers.length > 0 && specifiers.every((one) => one['importKind'] === 'type'))
        add(onlyTypes ? 'type' : 'value', node['source'], importedNames(specifiers))
        break
      }
      case 'ExportNamedDeclaration':
        if (node['source']) add(node['exportKind'] === 'type' ? 'type' : 'value', node['source'])
        if ((node['specifiers'] as Node[]).some((one) => nameOf(one['exported']) === 'default'))
          record('default export', node)
        break
      case 'ExportAllDeclaration':
        add(node['exportKind'] === 'type' ? 'type' : 'value', node['source'])
        record('export star', node)
        break
      case 'ExportDefaultDeclaration':
      case 'TSExportAssignment':
        record('default export', node)
        break
      case 'ImportExpression':
        if (isNode(node['source']) && node['source'].type === 'Literal') add('dynamic', node['source'])
        else record('computed import', node)
        break
      case 'TSImportType':
        add('type', node['source'] ?? node['argument'])
        break
      case 'NewExpression': {
        const [first, second] = node['arguments'] as unknown[]
        if (isIdentifier(node['callee'], 'URL') && second && /^\.{1,2}\/.*\.ts$/.test(nameOf(first) ?? ''))
          add('url', first)
        if (isSleep(node)) record('sleep', node)
        break
      }
      case 'CallExpression': {
        const callee = node['callee']
        const global =
          isNode(callee) && isIdentifier(callee['object'], 'globalThis') && nameOf(callee['property']) === 'fetch'
        if (isNode(callee) && callee.type === 'MemberExpression' && nameOf(callee['property']) === 'query')
          record('direct query', node)
        if (global || (isIdentifier(callee, 'fetch') && !ownFetch)) record('global fetch', node)
        break
      }
    }
  }

  const body = root['body'] as Node[]
  if (body.length > 0 && body.every((node) => isNode(node['source']) && node.type.startsWith('Export')))
    record('barrel', root)
  const sleepNames = ['setTimeout', 'scheduler', 'default', '*']
  for (const { specifier, names } of imports) {
    if (/^(node:)?timers\/promises$/.test(specifier) && names.some((name) => sleepNames.includes(name)))
      record('sleep', root)
  }
  return { imports, patterns }
}
