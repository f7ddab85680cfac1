/** Says that a consumer has handled an event. */
export interface InboxMark {
  /** `<consumer>|<event id>`. */
  _id: string;
  org_id: string;
  handled_at: Date;
}
