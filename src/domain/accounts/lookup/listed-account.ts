/** A row of a list of accounts: the account's `id`, and as the `cursor` of pages the id of the row that lists it. */
export interface ListedAccount {
  cursor: string
  id: string
}
