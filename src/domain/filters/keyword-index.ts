/** Where a pattern does not occur. */
const NOWHERE = -1

/**
 * Finds many patterns in a text in one pass, however many they are and however they resemble each other (Aho and
 * Corasick 1975): in proportion to the text and to the patterns, never to their product.
 *
 * The patterns are a tree of characters. Nodes are numbered by level, so the children of a node are neighbours.
 */
export class KeywordIndex {
  /** Character → on the way into each node. */
  readonly #characters: Uint16Array
  /** The first child of each node; those of the next node begin where they end. */
  readonly #children: Int32Array
  /** Where to go on when a character does not fit: the longest other beginning that has been read as well. */
  readonly #fallbacks: Int32Array
  /** The pattern that is complete at a node, or nowhere. */
  readonly #complete: Int32Array
  /** The nearest node along the fallbacks where a pattern is complete; 0 = none. */
  readonly #shorter: Int32Array
  /** The last search that came by. */
  readonly #visited: Uint32Array
  #search = 0
  readonly #count: number

  /** @param patterns none of them empty or twice; sorted by their code units, as `sort()` does. */
  constructor(patterns: readonly string[]) {
    const { characters, children, complete } = growTree(patterns)
    const { fallbacks, shorter } = linkTree({ characters, children, complete })
    this.#characters = characters
    this.#children = children
    this.#complete = complete
    this.#fallbacks = fallbacks
    this.#shorter = shorter
    this.#visited = new Uint32Array(characters.length)
    this.#count = patterns.length
  }

  /** What it takes of memory. */
  get bytes(): number {
    return this.#characters.length * 22
  }

  /** For each pattern, where its first occurrence ends (the index after its last character); −1 = it does not occur. */
  findEnds(text: string): Int32Array {
    const found = new Int32Array(this.#count).fill(NOWHERE)
    this.#search = (this.#search + 1) % 2 ** 32
    if (this.#search === 0) this.#visited.fill(0)
    let node = 0
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charCodeAt(at)
      let next = childOf(this.#characters, this.#children, node, character)
      while (next === 0 && node !== 0) {
        node = this.#fallbacks[node]!
        next = childOf(this.#characters, this.#children, node, character)
      }
      node = next
      // Whoever came by a node before went on to all the shorter ones, so each is noted once.
      for (
        let end = this.#complete[node] === NOWHERE ? this.#shorter[node]! : node;
        end !== 0 && this.#visited[end] !== this.#search;
        end = this.#shorter[end]!
      ) {
        this.#visited[end] = this.#search
        found[this.#complete[end]!] = at + 1
      }
    }
    return found
  }
}

interface Tree {
  characters: Uint16Array
  children: Int32Array
  complete: Int32Array
}

/** Each node stands for the patterns `from` to `to` that begin alike; sorted patterns make that a range. */
function growTree(patterns: readonly string[]): Tree {
  const most = patterns.reduce((sum, pattern) => sum + pattern.length, 1)
  const characters = new Uint16Array(most)
  const children = new Int32Array(most + 1)
  const complete = new Int32Array(most).fill(NOWHERE)
  const from = new Int32Array(most)
  const to = new Int32Array(most)
  const depth = new Int32Array(most)
  to[0] = patterns.length
  let count = 1
  for (let node = 0; node < count; node += 1) {
    const level = depth[node]!
    const end = to[node]!
    let first = from[node]!
    children[node] = count
    if (first < end && patterns[first]!.length === level) {
      complete[node] = first
      first += 1
    }
    while (first < end) {
      const character = patterns[first]!.charCodeAt(level)
      let after = first + 1
      while (after < end && patterns[after]!.charCodeAt(level) === character) after += 1
      characters[count] = character
      from[count] = first
      to[count] = after
      depth[count] = level + 1
      count += 1
      first = after
    }
  }
  children[count] = count
  return {
    characters: characters.slice(0, count),
    children: children.slice(0, count + 1),
    complete: complete.slice(0, count),
  }
}

function linkTree({ characters, children, complete }: Tree): { fallbacks: Int32Array; shorter: Int32Array } {
  const fallbacks = new Int32Array(characters.length)
  const shorter = new Int32Array(characters.length)
  for (let parent = 0; parent < characters.length; parent += 1) {
    for (let node = children[parent]!; node < children[parent + 1]!; node += 1) {
      let fallback = 0
      for (let above = parent; above !== 0 && fallback === 0;) {
        above = fallbacks[above]!
        fallback = childOf(characters, children, above, characters[node]!)
      }
      fallbacks[node] = fallback
      shorter[node] = complete[fallback] === NOWHERE ? shorter[fallback]! : fallback
    }
  }
  return { fallbacks, shorter }
}

/** The child of a node that a character leads to; 0 = none. */
function childOf(characters: Uint16Array, children: Int32Array, node: number, character: number): number {
  let low = children[node]!
  let high = children[node + 1]!
  while (low < high) {
    const middle = (low + high) >>> 1
    const found = characters[middle]!
    if (found === character) return middle
    if (found < character) low = middle + 1
    else high = middle
  }
  return 0
}
