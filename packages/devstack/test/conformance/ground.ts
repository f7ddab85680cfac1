import type mongoose from 'mongoose';

/** Where a group of tests works: a client, and a database that nobody else uses. */
export interface Ground {
  client: mongoose.mongo.MongoClient;
  db: mongoose.mongo.Db;
}
