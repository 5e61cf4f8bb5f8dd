import type { Draft, DraftPost } from './draft.ts'

/** A draft that a window has sent. `content`: what the posts said. */
interface SentDraft {
  id: string
  content: string
}

const channel = new BroadcastChannel('linnet-sent-drafts')

/** Returns what the posts of a draft say, to compare it with another version. */
export const contentOf = ({ posts }: Pick<Draft, 'posts'>): string =>
  JSON.stringify(posts.map(({ text, warning, poll, media }) => [text, warning, poll, media.map(({ key }) => key)]))

/** Informs the other windows, which may have the same draft in their composers. */
export function reportSent(sent: SentDraft): void {
  // A channel has only this origin, unlike a window.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage(sent)
}

/** Calls `listener` when another window has sent a draft. Returns a function that ends it. */
export function onSentElsewhere(listener: (sent: SentDraft) => void): () => void {
  const onMessage = ({ data }: MessageEvent<SentDraft>) => listener(data)
  channel.addEventListener('message', onMessage)
  return () => channel.removeEventListener('message', onMessage)
}

/** Returns a new draft with the same content, without the ids of posts and uploads on the server. */
export function copyDraft(draft: Draft): Draft {
  const copyPost = (post: DraftPost): DraftPost => ({
    ...post,
    key: crypto.randomUUID(),
    attempt: null,
    media: post.media.map((one) => ({
      ...one,
      key: crypto.randomUUID(),
      ...(one.file && { attachment: null, uploadedAt: 0 }),
    })),
  })
  return { ...draft, id: crypto.randomUUID(), posts: draft.posts.map(copyPost) }
}
