export * from './drafts/draft.contract.ts';
export * from './feeds/feed.contract.ts';
export * from './items/item.contract.ts';
export * from './subscriptions.ts';
