import { Parser } from 'htmlparser2'

export interface CasUser {
  readonly name: string
  /** The values of each attribute. */
  readonly attributes: ReadonlyMap<string, readonly string[]>
}

const SUCCESS = 'serviceResponse/authenticationSuccess'

/**
 * Reads the response to the validation of a ticket (CAS protocol 3.0 §2.5, §2.8). Returns null unless it states exactly
 * one user.
 */
export function readCasResponse(xml: string): CasUser | null {
  // Entities are not declared in these responses.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) return null
  const path: string[] = []
  const names: string[] = []
  const attributes = new Map<string, string[]>()
  let text = ''
  const parser = new Parser(
    {
      onopentag(name) {
        path.push(name.replace(/^.*:/, ''))
        text = ''
      },
      ontext(part) {
        text += part
      },
      onclosetag() {
        const place = path.join('/')
        const name = path.pop()!
        const value = text.trim()
        text = ''
        if (place === `${SUCCESS}/user`) names.push(value)
        // Some servers send the attributes without the element around them.
        else if (place === `${SUCCESS}/attributes/${name}` || place === `${SUCCESS}/${name}`) {
          if (value !== '') attributes.set(name, [...(attributes.get(name) ?? []), value])
        }
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  const [name] = names
  return names.length === 1 && name ? { name, attributes } : null
}
