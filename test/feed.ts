import assert from 'node:assert/strict'
import { Parser } from 'htmlparser2'

/** An element of XML: what is in it, by name. */
export interface Xml {
  name: string
  attributes: Record<string, string>
  text: string
  children: Xml[]
}

/** Reads XML strictly: every element closed in order, nothing but white space between the elements of a list. */
export function readXml(source: string): Xml {
  const root: Xml = { name: '', attributes: {}, text: '', children: [] }
  const open = [root]
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element: Xml = { name, attributes, text: '', children: [] }
        open.at(-1)!.children.push(element)
        open.push(element)
      },
      ontext(text) {
        open.at(-1)!.text += text
      },
      onclosetag(name, implied) {
        const element = open.pop()!
        assert.equal(element.name, name)
        // An element that closes itself is told as implied, too; it has nothing in it.
        assert.ok(!implied || (element.text === '' && element.children.length === 0), `<${name}> is not closed`)
        if (element.children.length > 0) assert.equal(element.text.trim(), '', `text in <${name}>`)
      },
      onprocessinginstruction(name) {
        assert.equal(name, '?xml')
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(source)
  assert.equal(open.length, 1)
  assert.equal(root.children.length, 1)
  assert.doesNotMatch(source, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/)
  assert.doesNotMatch(source, /&(?!(?:amp|lt|gt|quot|#39);)/)
  return root.children[0]!
}

export function all({ children }: Xml, name: string): Xml[] {
  return children.filter((child) => child.name === name)
}

/** The text of the one element of this name. */
export function textOf(element: Xml, name: string): string {
  const found = all(element, name)
  assert.equal(found.length, 1, `<${name}> in <${element.name}>`)
  return found[0]!.text
}
