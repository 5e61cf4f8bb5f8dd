/** `_` stays before a digit, which has no upper case. */
type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? Tail extends `${bigint}${string}`
    ? `${Head}_${CamelCase<Tail>}`
    : `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

/** The type of an entity after masto.js has converted its names to camel case. */
export type CamelCased<Value> = Value extends readonly (infer Item)[]
  ? CamelCased<Item>[]
  : Value extends object
    ? { [Name in keyof Value as CamelCase<Name>]: CamelCased<Value[Name]> }
    : Value
