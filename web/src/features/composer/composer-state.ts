import { DraftSaver } from '../drafts/draft-saver.ts'
import type { DraftStorage } from '../drafts/draft-saver.ts'
import { createPost } from '../drafts/draft.ts'
import type { Draft, DraftMedia, DraftPoll, DraftPost } from '../drafts/draft.ts'

/** What happens to a file: `progress` from 0 to 1 while it is uploaded, or the text of an error. */
export type UploadState = { progress: number } | { error: string }

export interface ComposerSnapshot {
  draft: Draft
  /** By the keys of the files that are being uploaded or failed. */
  uploads: Readonly<Record<string, UploadState>>
  isSending: boolean
  /** Why the draft could not be sent. */
  error: string | null
  /** Whether the browser stores the draft. */
  isStored: boolean
}

/**
 * The state that was opened last of each draft that was not sent or discarded. Only it stores the draft: another one, for
 * which a file was being uploaded when the composer was closed, has an older text.
 */
const newestStates = new Map<string, ComposerState>()

/** The draft in the composer, with what happens to it. Each change is stored. */
export class ComposerState {
  readonly #listeners = new Set<() => void>()
  readonly #saver: DraftSaver
  /** Polls and content warnings that the user has removed, by the keys of their posts. */
  readonly #removed = { poll: new Map<string, DraftPoll>(), warning: new Map<string, string>() }
  #snapshot: ComposerSnapshot

  constructor(draft: Draft, storage: DraftStorage) {
    this.#snapshot = { draft, uploads: {}, isSending: false, error: null, isStored: true }
    this.#saver = new DraftSaver(storage, () => this.set({ isStored: false }))
    newestStates.set(draft.id, this)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly getSnapshot = (): ComposerSnapshot => this.#snapshot

  get draft(): Draft {
    return this.#snapshot.draft
  }

  /** Changes what is not part of the draft. */
  set(change: Partial<Omit<ComposerSnapshot, 'draft'>>): void {
    this.#replace({ ...this.#snapshot, ...change })
  }

  /** Changes the draft. */
  change(change: Partial<Draft>): void {
    const draft = { ...this.draft, ...change, updatedAt: Date.now() }
    this.#replace({ ...this.#snapshot, draft })
    if (newestStates.get(draft.id) === this) this.#saver.schedule(draft)
  }

  changePost(key: string, change: Partial<DraftPost>): void {
    this.change({ posts: this.draft.posts.map((post) => (post.key === key ? { ...post, ...change } : post)) })
  }

  changeMedia(mediaKey: string, change: Partial<DraftMedia>): void {
    const posts = this.draft.posts.map((post) => ({
      ...post,
      media: post.media.map((one) => (one.key === mediaKey ? { ...one, ...change } : one)),
    }))
    this.change({ posts })
  }

  findMedia(mediaKey: string): DraftMedia | undefined {
    return this.draft.posts.flatMap(({ media }) => media).find(({ key }) => key === mediaKey)
  }

  /** Sets what happens to a file; null: nothing. */
  setUpload(mediaKey: string, upload: UploadState | null): void {
    const { [mediaKey]: _before, ...uploads } = this.#snapshot.uploads
    this.set({ uploads: upload ? { ...uploads, [mediaKey]: upload } : uploads })
  }

  /** Adds a post after the last one. It has the same content warning. Returns its key. */
  addPost(): string {
    const { posts } = this.draft
    const { warning = null, sensitive = false } = posts.at(-1) ?? {}
    const post = createPost({ warning, sensitive })
    this.change({ posts: [...posts, post] })
    return post.key
  }

  /** Adds a content warning, or removes it. One that was removed returns. */
  toggleWarning(key: string): void {
    const removed = this.#removed.warning
    const warning = this.draft.posts.find((post) => post.key === key)?.warning ?? null
    if (warning !== null) removed.set(key, warning)
    this.changePost(key, { warning: warning === null ? (removed.get(key) ?? '') : null })
  }

  /** Adds a poll, which is `added` at first, or removes it. One that was removed returns. */
  togglePoll(key: string, added: DraftPoll): void {
    const removed = this.#removed.poll
    const poll = this.draft.posts.find((post) => post.key === key)?.poll ?? null
    if (poll !== null) removed.set(key, poll)
    this.changePost(key, { poll: poll === null ? (removed.get(key) ?? added) : null })
  }

  /** Removes a post. Returns a function that puts it back. */
  removePost(key: string): () => void {
    const { posts } = this.draft
    this.change({ posts: posts.filter((post) => post.key !== key) })
    const index = posts.findIndex((post) => post.key === key)
    return () => this.change({ posts: this.draft.posts.toSpliced(index, 0, ...posts.slice(index, index + 1)) })
  }

  /** Stores the draft now. */
  async flush(): Promise<void> {
    await this.#saver.flush()
  }

  /** Removes the draft from the browser. */
  async discard(): Promise<void> {
    newestStates.delete(this.draft.id)
    await this.#saver.discard(this.draft.id)
  }

  #replace(snapshot: ComposerSnapshot): void {
    this.#snapshot = snapshot
    for (const listener of this.#listeners) listener()
  }
}
