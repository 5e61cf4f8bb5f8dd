/** What a URL of another server, or of this one, turned out to be. */
export interface Resolved {
  kind: 'account' | 'status' | 'collection'
  id: string
}

/** How the rest of the program asks other servers for people and posts. Federation does it; `app.ts` plugs it in. */
export interface Remote {
  /**
   * The account of a handle of another server, asked for there and recorded here. null: there is none, or nobody
   * answered within `timeoutMs` (half a minute, unless said).
   */
  findAccount(input: { username: string; domain: string; timeoutMs?: number }): Promise<string | null>
  /** Somebody known here by this address, asked for and recorded anew; null when nobody answered with them. */
  renew(input: { uri: string }): Promise<string | null>
  /** A status of another server that is known here, with its poll, asked for and taken in anew; null when it was not there. */
  renewStatus(input: { uri: string; timeoutMs: number }): Promise<string | null>
  /** What lies at a URL, recorded here, if the viewer may see it; null for anything else. */
  resolve(input: { uri: string; viewerId: string }): Promise<Resolved | null>
}
