/** A row of a list of accounts: whom it shows, and the id of the relation that put them there, which pages go by. */
export interface Listed {
  cursor: string
  id: string
}
