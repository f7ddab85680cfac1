/** What a model wrote. */
export interface Reply {
  /** JSON, or what the model wrote instead. */
  text: string;
  /** As the provider counts; null where it does not. */
  input_tokens: number | null;
  output_tokens: number | null;
  /** The model stopped because it had no room left. */
  cut_off: boolean;
}
