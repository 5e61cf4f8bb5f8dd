import type pg from 'pg'

/** PostgreSQL's description of a statement that it has parsed and analysed, but not run. */
export interface Description {
  /** The types of the parameters, by their positions. */
  params: number[]
  columns: ResultColumn[]
}

interface ResultColumn {
  name: string
  type: number
  /** The table and the column that the value comes from; 0 for an expression. */
  table: number
  attribute: number
}

/** The used fields of messages of PostgreSQL's extended query protocol that pg's connection emits. */
interface ParameterDescription {
  dataTypeIDs: number[]
}
interface RowDescription {
  fields: { name: string; dataTypeID: number; tableID: number; columnID: number }[]
}

/** A query object of pg that parses and describes one statement; pg calls the `handle…` methods. */
class Describe {
  readonly text: string
  readonly done: Promise<Description>
  readonly #description: Description = { params: [], columns: [] }
  #resolve!: (description: Description) => void
  #reject!: (err: Error) => void

  constructor(text: string) {
    this.text = text
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  submit(connection: pg.Connection): void {
    connection.once('parameterDescription', ({ dataTypeIDs }: ParameterDescription) => {
      this.#description.params = dataTypeIDs
    })
    connection.parse({ text: this.text } as never, true)
    connection.describe({ type: 'S', name: '' }, true)
    connection.sync()
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#description.columns = fields.map(({ name, dataTypeID, tableID, columnID }) => ({
      name,
      type: dataTypeID,
      table: tableID,
      attribute: columnID,
    }))
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#description)
  }

  handleError(err: Error, connection: pg.Connection): void {
    connection.removeAllListeners('parameterDescription')
    this.#reject(err)
  }
}

/** Returns the types of a statement's parameters and columns. @throws DatabaseError for an invalid text */
export async function describeStatement(client: pg.Client, text: string): Promise<Description> {
  const query = new Describe(text)
  client.query(query as unknown as pg.Submittable)
  return query.done
}
