/** The object that a remote or local URL resolves to. */
export interface ResolvedObject {
  kind: 'account' | 'status' | 'collection'
  id: string
}

/** Access to accounts and statuses on other servers. The federation layer implements it; `app.ts` injects it. */
export interface Remote {
  /**
   * Fetches and records the account with a remote handle. Returns its id; null if there is none, or its server did not
   * respond within `timeoutMs` (by default half a minute).
   */
  findAccount(input: { username: string; domain: string; timeoutMs?: number }): Promise<string | null>
  /**
   * Fetches and updates a known account with a remote handle, at most once a day. Returns the id of the account that has
   * the handle now, which is another one if the server gave it to another actor; null if the known one was deleted.
   */
  recheckAccount(input: { accountId: string; username: string; domain: string }): Promise<string | null>
  /** Fetches and updates a known account by its URI. Returns its id; null if it could not be fetched. */
  refreshAccount(input: { uri: string }): Promise<string | null>
  /** Fetches and updates a known remote status with its poll. Returns its id; null if it could not be fetched. */
  refreshStatus(input: { uri: string; timeoutMs: number }): Promise<string | null>
  /** Fetches and records the object at a URL. Returns null if there is none that the viewer may see. */
  resolve(input: { uri: string; viewerId: string }): Promise<ResolvedObject | null>
}
