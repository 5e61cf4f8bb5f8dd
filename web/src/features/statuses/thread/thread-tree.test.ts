import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildThread, MAX_LEVELS } from './thread-tree.ts'
import type { ThreadBranch, ThreadStatus } from './thread-tree.ts'

/** Writes `b>a` for a reply `b` to `a`; the first letter of a name is its author. */
const thread = (text: string): ThreadStatus[] =>
  text
    .split(' ')
    .map((reply) => reply.split('>'))
    .map(([id = '', parent = null]) => ({ id, accountId: id.charAt(0), inReplyToId: parent }))

/** Writes a branch as `a b[c d]`: `b` continues `a`, and the branch `c d` answers `b`. */
const write = (branches: readonly ThreadBranch[]): string =>
  branches
    .map(({ posts }) =>
      posts.map(({ id, branches }) => (branches.length > 0 ? `${id}[${write(branches)}]` : id)).join(' '),
    )
    .join(' | ')

test('an only reply and replies to oneself continue without indentation; other replies are branches', () => {
  assert.equal(write(buildThread('m', thread('a1>m a2>a1 a3>a2 b1>a1 c1>m d1>c1'))), 'a1[b1] a2 a3 | c1 d1')
})

test('replies to a hidden post stand at the top level', () => {
  assert.equal(write(buildThread('m', thread('a>m b>hidden c>b'))), 'a | b c')
})

test('below the last level, a post has only the number of its replies', () => {
  const branches = buildThread('m', thread('a>m b>a c>a d>b e>b f>d g>d h>f i>f j>h k>h'))
  assert.equal(write(branches), 'a[b[d[f | g] | e] | c]')
  const [f] = branches[0]!.posts[0]!.branches[0]!.posts[0]!.branches[0]!.posts[0]!.branches
  assert.deepEqual(f?.posts, [{ id: 'f', branches: [], repliesCount: 4 }])
})

test('every reply is on the page once or counted below the last level, in the order of the API', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 })), { maxLength: 60 }), (choices) => {
      const replies = choices.map(([parent, author], index) => ({
        id: String(index),
        accountId: String(author),
        inReplyToId: index === 0 || parent % (index + 1) === index ? 'm' : String(parent % index),
      }))
      const shown: string[] = []
      let hidden = 0
      const visit = (branches: readonly ThreadBranch[], level: number): number => {
        assert.ok(level < MAX_LEVELS || branches.length === 0)
        let size = 0
        for (const { posts } of branches)
          for (const { id, branches, repliesCount } of posts) {
            shown.push(id)
            const inner = visit(branches, level + 1)
            if (branches.length === 0) hidden += repliesCount
            else assert.equal(repliesCount, inner)
            size += 1 + repliesCount
          }
        return size
      }
      assert.equal(visit(buildThread('m', replies), 0), replies.length)
      assert.equal(new Set(shown).size, shown.length)
      assert.equal(shown.length + hidden, replies.length)
    }),
  )
})
