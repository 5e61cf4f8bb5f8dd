/** One line of a drawing: the names of a layer, and whether they must not import one another. */
interface Layer {
  level: number
  names: string[]
  isIsolated: boolean
}

/** The layers of one folder. A name is a folder or a file in it. */
export interface Drawing {
  /** The path of the folder, such as `src`. */
  root: string
  layers: Layer[]
}

export interface Architecture {
  drawings: Drawing[]
  /** Path → reason, for the files that may have more than 300 lines. */
  longFiles: Map<string, string>
}

/** The headings of ARCHITECTURE.md whose first code block draws the layers of a folder. */
const HEADINGS: Record<string, string> = {
  Layers: 'src',
  'Domain layers': 'src/domain',
  'Web client layers': 'web/src',
}

/**
 * Reads the drawings and the long files from the text of ARCHITECTURE.md.
 *
 * A drawing is the first code block below its heading. Its numbered lines are the layers: `4  http │ cli   comment`.
 * Names that a `│` separates must not import one another; names that only spaces separate may. The long files are the
 * lines "- `path`: reason" below the heading "Long files".
 */
export function readArchitecture(markdown: string): Architecture {
  const drawings = Object.entries(HEADINGS).flatMap(([heading, root]) => {
    const block = /```\n([\s\S]*?)```/.exec(sectionOf(markdown, heading))?.[1]
    return block === undefined ? [] : [{ root, layers: block.split('\n').flatMap(readLayer) }]
  })
  const longFiles = new Map(
    [...sectionOf(markdown, 'Long files').matchAll(/^- `([^`]+)`: (.+)$/gm)].map(
      ([, path = '', reason = '']) => [path, reason] as const,
    ),
  )
  return { drawings, longFiles }
}

function sectionOf(markdown: string, heading: string): string {
  return new RegExp(`^#+ ${heading}\\n([\\s\\S]*?)(?=^#|(?![\\s\\S]))`, 'm').exec(markdown)?.[1] ?? ''
}

function readLayer(line: string): Layer[] {
  const match = /^ *(\d+) {2,}(\S.*?)(?: {3,}.*)?$/.exec(line)
  if (!match) return []
  const [, level, names = ''] = match
  return [{ level: Number(level), names: names.split(/[\s│]+/).filter(Boolean), isIsolated: names.includes('│') }]
}
