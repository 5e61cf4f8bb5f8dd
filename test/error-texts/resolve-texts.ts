import { isNode, nameOf, nodesIn } from './source-file.ts'
import type { Node, SourceFile } from './source-file.ts'

const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/

/** A call of a function, or the construction of an object. */
interface Call {
  file: SourceFile
  arguments: Node[]
}

/**
 * Finds the texts that an expression can be: through constants, conditions, templates, helper functions and the
 * arguments of all calls. Parts that are only known at run time are the placeholders `{0}`, `{1}`, ….
 */
export class TextResolver {
  readonly #callsOf = new Map<string, Call[]>()
  readonly #superClasses = new Map<string, string>()

  constructor(files: readonly SourceFile[]) {
    for (const file of files) {
      for (const node of file.nodes) {
        if (node.type !== 'ClassDeclaration') continue
        const superClass = nameOf(node['superClass'])
        if (superClass !== null) this.#superClasses.set(nameOf(node['id'])!, superClass)
      }
    }
    for (const file of files) {
      for (const node of file.nodes) {
        if (node.type !== 'CallExpression' && node.type !== 'NewExpression') continue
        const callee = node['callee'] as Node
        const name = callee.type === 'Super' ? this.#superClasses.get(classAround(file, node) ?? '') : nameOf(callee)
        if (name === undefined || name === null) continue
        const calls = this.#callsOf.get(name) ?? []
        this.#callsOf.set(name, [...calls, { file, arguments: nodesIn(node, 'arguments') }])
      }
    }
  }

  /** Returns the expressions that are passed as an argument of each construction of a class, also by its subclasses. */
  argumentsOf(className: string, index: number): { file: SourceFile; node: Node }[] {
    return (this.#callsOf.get(className) ?? []).flatMap(({ file, arguments: passed }) => {
      const node = passed[index]
      return node ? [{ file, node }] : []
    })
  }

  /** Returns the texts of an expression; none if it is only known at run time. */
  textsOf(file: SourceFile, node: unknown, seen: ReadonlySet<Node> = new Set()): string[] {
    if (!isNode(node) || seen.has(node)) return []
    const inner = (value: unknown): string[] => this.textsOf(file, value, new Set([...seen, node]))
    switch (node.type) {
      case 'Literal':
        return typeof node['value'] === 'string' ? [node['value']] : []
      case 'TemplateLiteral':
        return joinTemplate(
          nodesIn(node, 'quasis').map(({ value }) => (value as { cooked: string }).cooked),
          nodesIn(node, 'expressions').map(inner),
        )
      case 'ConditionalExpression':
        return [...inner(node['consequent']), ...inner(node['alternate'])]
      case 'LogicalExpression':
        return [...inner(node['left']), ...inner(node['right'])]
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
        return inner(node['expression'])
      case 'MemberExpression':
        return this.#textsOfMember(file, node, inner)
      case 'CallExpression':
        return returnedBy(file, nameOf(node['callee'])).flatMap(inner)
      case 'Identifier':
        return this.#textsOfVariable(file, node, new Set([...seen, node]))
      default:
        return []
    }
  }

  #textsOfMember(file: SourceFile, node: Node, inner: (value: unknown) => string[]): string[] {
    const object = unwrap(constantOf(file, nameOf(node['object'])))
    if (object?.type !== 'ObjectExpression') return []
    const name = node['computed'] ? null : nameOf(node['property'])
    return nodesIn(object, 'properties')
      .filter(({ key }) => name === null || nameOf(key) === name)
      .flatMap(({ value }) => inner(value))
  }

  #textsOfVariable(file: SourceFile, node: Node, seen: ReadonlySet<Node>): string[] {
    const name = nameOf(node)!
    for (let scope = file.parents.get(node); scope; scope = file.parents.get(scope)) {
      if (FUNCTION.test(scope.type)) {
        const parameters = nodesIn(scope, 'params')
        const index = parameters.findIndex((parameter) => findBinding(parameter, name) !== null)
        if (index !== -1) return this.#textsOfParameter(file, { scope, index, name, seen })
      }
      const declared = nodesIn(scope, 'body')
        .filter(({ type }) => type === 'VariableDeclaration')
        .flatMap((declaration) => nodesIn(declaration, 'declarations'))
        .find(({ id }) => nameOf(id) === name)
      if (declared) return this.textsOf(file, declared['init'], seen)
    }
    return []
  }

  #textsOfParameter(
    file: SourceFile,
    { scope, index, name, seen }: { scope: Node; index: number; name: string; seen: ReadonlySet<Node> },
  ): string[] {
    const { property, byDefault } = findBinding(nodesIn(scope, 'params')[index]!, name)!
    const functionName = nameOfFunction(file, scope)
    if (functionName === null) return []
    const isClass = file.parents.get(scope)?.type === 'MethodDefinition'
    const calls = (this.#callsOf.get(functionName) ?? []).filter(
      (call) => isClass || call.file === file || call.file.importedNames.has(functionName),
    )
    return calls.flatMap((call) => {
      const passed = unwrap(call.arguments[index] ?? null)
      const value = property === null ? passed : propertyOf(passed, property)
      return value ? this.textsOf(call.file, value, seen) : this.textsOf(file, byDefault, seen)
    })
  }
}

/** Fills the texts of expressions into a template; expressions without texts become placeholders. */
function joinTemplate(quasis: readonly string[], expressions: readonly (readonly string[])[]): string[] {
  const joined = quasis.reduce<string[]>((texts, quasi, index) => {
    if (index === 0) return [quasi]
    const values = expressions[index - 1]!
    return texts.flatMap((text) => (values.length > 0 ? values : ['{}']).map((value) => text + value + quasi))
  }, [])
  return joined.map((text) => {
    let count = 0
    return text.replaceAll(/\{\d?\}/g, () => `{${count++}}`)
  })
}

interface Binding {
  /** The property of the argument; null: the argument itself. */
  property: string | null
  byDefault: Node | null
}

/** Returns how a parameter binds a name; null if it does not. */
function findBinding(parameter: Node, name: string): Binding | null {
  if (parameter.type === 'AssignmentPattern') {
    const binding = findBinding(parameter['left'] as Node, name)
    return binding && { ...binding, byDefault: binding.byDefault ?? (parameter['right'] as Node) }
  }
  if (nameOf(parameter) === name) return { property: null, byDefault: null }
  if (parameter.type !== 'ObjectPattern') return null
  for (const { type, key, value } of nodesIn(parameter, 'properties')) {
    const binding = type === 'Property' ? findBinding(value as Node, name) : null
    if (binding?.property === null) return { ...binding, property: nameOf(key) }
  }
  return null
}

export function propertyOf(object: Node | null, name: string): Node | null {
  if (object?.type !== 'ObjectExpression') return null
  const property = nodesIn(object, 'properties').find(({ key }) => nameOf(key) === name)
  return (property?.['value'] as Node | undefined) ?? null
}

function unwrap(node: Node | null): Node | null {
  return node && /^TS(As|Satisfies)Expression$/.test(node.type) ? unwrap(node['expression'] as Node) : node
}

/** Returns the value of a constant of the whole file. */
function constantOf(file: SourceFile, name: string | null): Node | null {
  const declared = file.nodes.find(({ type, id }) => type === 'VariableDeclarator' && nameOf(id) === name)
  return name === null ? null : ((declared?.['init'] as Node | null | undefined) ?? null)
}

/** Returns the expressions that a function of the file returns. */
function returnedBy(file: SourceFile, name: string | null): Node[] {
  const scope = name === null ? undefined : file.nodes.find((node) => isFunctionNamed(file, { node, name }))
  const body = scope?.['body'] as Node | undefined
  if (!body) return []
  if (body.type !== 'BlockStatement') return [body]
  return file.nodes
    .filter(({ type }) => type === 'ReturnStatement')
    .filter((node) => functionAround(file, node) === scope)
    .flatMap((node) => nodesIn(node, 'argument'))
}

const isFunctionNamed = (file: SourceFile, { node, name }: { node: Node; name: string }): boolean =>
  FUNCTION.test(node.type) && nameOfFunction(file, node) === name

/** Returns the name by which a function is called; that of a constructor is the name of its class. */
function nameOfFunction(file: SourceFile, scope: Node): string | null {
  const parent = file.parents.get(scope)
  if (scope.type === 'FunctionDeclaration') return nameOf(scope['id'])
  if (parent?.type === 'VariableDeclarator') return nameOf(parent['id'])
  return parent?.type === 'MethodDefinition' && parent['kind'] === 'constructor' ? classAround(file, parent) : null
}

function functionAround(file: SourceFile, node: Node): Node | undefined {
  let scope = file.parents.get(node)
  while (scope && !FUNCTION.test(scope.type)) scope = file.parents.get(scope)
  return scope
}

function classAround(file: SourceFile, node: Node): string | null {
  let scope = file.parents.get(node)
  while (scope && scope.type !== 'ClassDeclaration') scope = file.parents.get(scope)
  return scope ? nameOf(scope['id']) : null
}
