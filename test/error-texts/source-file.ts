import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'

export interface Node {
  type: string
  [key: string]: unknown
}

/** A parsed TypeScript file. */
export interface SourceFile {
  path: string
  /** Every node, outer ones first. */
  nodes: readonly Node[]
  parents: ReadonlyMap<Node, Node>
  /** Paths of the imported files of the repository. */
  imports: readonly string[]
  importedNames: ReadonlySet<string>
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Returns the nodes in a property that is a list. */
export const nodesIn = (node: Node, key: string): Node[] => [node[key]].flat().filter(isNode)

/** Returns the name of an identifier, also of one that is a property of `node`. */
export function nameOf(value: unknown): string | null {
  return isNode(value) && value.type === 'Identifier' ? (value['name'] as string) : null
}

function parseFile(root: string, path: string): SourceFile {
  const { program } = parseSync(path, readFileSync(join(root, path), 'utf8'))
  const nodes: Node[] = []
  const parents = new Map<Node, Node>()
  const add = (node: Node): void => {
    nodes.push(node)
    for (const child of Object.values(node).flat().filter(isNode)) {
      parents.set(child, node)
      add(child)
    }
  }
  add(program as unknown as Node)
  const declarations = nodesIn(nodes[0]!, 'body').filter(
    ({ type, importKind }) => type === 'ImportDeclaration' && importKind !== 'type',
  )
  const sources = declarations.map(({ source }) => (source as { value: string }).value)
  const specifiers = declarations.flatMap((declaration) => nodesIn(declaration, 'specifiers'))
  return {
    path,
    nodes,
    parents,
    imports: sources.filter((source) => /^\..*\.ts$/.test(source)).map((source) => join(dirname(path), source)),
    importedNames: new Set(specifiers.map(({ imported }) => nameOf(imported)).filter((name) => name !== null)),
  }
}

/** Returns the given files and all files of the repository whose values they import, directly or not. */
export function readWithImports(root: string, paths: readonly string[]): SourceFile[] {
  const files = new Map<string, SourceFile>()
  const pending = [...paths]
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (files.has(path)) continue
    const file = parseFile(root, path)
    files.set(path, file)
    pending.push(...file.imports)
  }
  return [...files.values()]
}
