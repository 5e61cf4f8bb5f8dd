import assert from 'node:assert/strict'
import { Parser } from 'htmlparser2'

/** A parsed XML element. */
export interface XmlElement {
  name: string
  attributes: Record<string, string>
  text: string
  children: XmlElement[]
}

/** Parses XML strictly: elements must be closed in order, and only white space may separate child elements. */
export function readXml(source: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, text: '', children: [] }
  const open = [root]
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element: XmlElement = { name, attributes, text: '', children: [] }
        open.at(-1)!.children.push(element)
        open.push(element)
      },
      ontext(text) {
        open.at(-1)!.text += text
      },
      onclosetag(name, implied) {
        const element = open.pop()!
        assert.equal(element.name, name)
        // The parser also reports a self-closing element as implied; it is empty.
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

export function childrenNamed({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === name)
}

/** Returns the text of the only child element with this name. */
export function textOf(element: XmlElement, name: string): string {
  const found = childrenNamed(element, name)
  assert.equal(found.length, 1, `<${name}> in <${element.name}>`)
  return found[0]!.text
}
