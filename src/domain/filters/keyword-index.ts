/** The position of a pattern that does not occur. */
const NOWHERE = -1

/**
 * Finds many patterns in a text in one pass, with the algorithm of Aho and Corasick (1975). The time is proportional to
 * the length of the text plus the number of patterns, never to their product, even if the patterns are similar.
 *
 * The patterns form a trie of UTF-16 code units. Nodes are numbered level by level, so the children of a node have
 * consecutive numbers.
 */
export class KeywordIndex {
  /** The character of the edge that leads to each node. */
  readonly #characters: Uint16Array
  /** The first child of each node. The children of a node end where those of the next node begin. */
  readonly #children: Int32Array
  /** The node to continue with if no child matches: the longest proper suffix that is also a prefix of a pattern. */
  readonly #fallbacks: Int32Array
  /** The pattern that ends at each node, or `NOWHERE`. */
  readonly #complete: Int32Array
  /** The nearest node along the fallbacks at which a pattern ends; 0 = none. */
  readonly #shorter: Int32Array
  /** The number of the last search that visited each node. */
  readonly #visited: Uint32Array
  #search = 0
  readonly #count: number

  /** @param patterns not empty, without duplicates, and sorted by code units as by `sort()` */
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

  /** The memory usage, in bytes. */
  get bytes(): number {
    return this.#characters.length * 22
  }

  /** Returns for each pattern where its first occurrence ends (the index after its last character), or −1. */
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
      // If the node was visited before, all shorter patterns along its fallbacks were recorded then too.
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

/**
 * Builds the trie. Each node represents the patterns `from` to `to` with the same prefix, a range of the sorted
 * patterns.
 */
function growTree(patterns: readonly string[]): Tree {
  const capacity = patterns.reduce((sum, pattern) => sum + pattern.length, 1)
  const characters = new Uint16Array(capacity)
  const children = new Int32Array(capacity + 1)
  const complete = new Int32Array(capacity).fill(NOWHERE)
  const from = new Int32Array(capacity)
  const to = new Int32Array(capacity)
  const depth = new Int32Array(capacity)
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
      let next = first + 1
      while (next < end && patterns[next]!.charCodeAt(level) === character) next += 1
      characters[count] = character
      from[count] = first
      to[count] = next
      depth[count] = level + 1
      count += 1
      first = next
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
      for (let ancestor = parent; ancestor !== 0 && fallback === 0;) {
        ancestor = fallbacks[ancestor]!
        fallback = childOf(characters, children, ancestor, characters[node]!)
      }
      fallbacks[node] = fallback
      shorter[node] = complete[fallback] === NOWHERE ? shorter[fallback]! : fallback
    }
  }
  return { fallbacks, shorter }
}

/** Returns the child of a node for a character; 0 = none. */
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
