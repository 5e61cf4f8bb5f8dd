/** One floor of the drawing: the names that live there, and whether walls stand between them. */
interface Floor {
  level: number
  names: string[]
  walled: boolean
}

export interface House {
  floors: Floor[]
  /** Path → reason, for the files that may be longer than the rest. */
  longFiles: Map<string, string>
}

/**
 * Reads the house from the text of ARCHITECTURE.md.
 * The floors are the numbered lines of its first code block: `4  http │ cli   what they are`.
 * A `│` is a wall (neighbours don't import one another); names with only spaces between them share a room.
 * The long files are the lines "- `path`: reason" under the heading "Long files".
 */
export function readHouse(markdown: string): House {
  const block = /```\n([\s\S]*?)```/.exec(markdown)?.[1] ?? ''
  const floors = block.split('\n').flatMap((line) => {
    const match = /^ *(\d) {2,}(\S.*?)(?: {3,}.*)?$/.exec(line)
    if (!match) return []
    const [, level, names] = match
    return [
      {
        level: Number(level),
        names: (names ?? '').split(/[\s│]+/).filter(Boolean),
        walled: (names ?? '').includes('│'),
      },
    ]
  })
  const section = /^#+ Long files\n([\s\S]*?)(?=^#|(?![\s\S]))/m.exec(markdown)?.[1] ?? ''
  const longFiles = new Map(
    [...section.matchAll(/^- `([^`]+)`: (.+)$/gm)].map(([, path = '', reason = '']) => [path, reason] as const),
  )
  return { floors, longFiles }
}
